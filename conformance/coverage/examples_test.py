"""examples.py, each of its checks broken once.

    examples_test.py ROOT
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
SCRIPT = pathlib.Path(__file__).with_name("examples.py")
HEAD = "page\tlines\texample\tshown by\tnote\n"
PAGE = "# Page\n\n## Example\n\nElement [1, 2] is at 6.\n"


class Examples(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)
        (self.tree / "corpus/vectors").mkdir(parents=True)
        for path in (ROOT / "corpus/vectors").glob("*.jsonl"):
            (self.tree / "corpus/vectors" / path.name).symlink_to(path)
        for name in ("reference", "conformance", "kernels"):
            (self.tree / name).symlink_to(ROOT / name)
        self.list = (ROOT / "corpus/vectors/EXAMPLES.tsv").read_text()

    def said(self, text, *checkout):
        (self.tree / "corpus/vectors/EXAMPLES.tsv").write_text(text)
        done = subprocess.run([sys.executable, "-B", SCRIPT, self.tree, *checkout], capture_output=True, text=True)
        self.assertEqual(done.returncode != 0, "0 problems" not in done.stdout, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def changed(self, old, new):
        self.assertIn(old, self.list)
        return self.said(self.list.replace(old, new))

    def test_as_it_is(self):
        self.assertIn(" 0 problems", self.said(self.list))

    def test_what_shows_it_is_gone(self):
        self.assertIn("no vector or test is called ROW-03/zz", self.changed("ROW-03/a", "ROW-03/zz"))
        self.assertIn("no vector or test is called reference/", self.changed(": the 3-4-5 column", ": the 5-12-13 column"))
        self.assertIn("nothing shows it", self.changed("\tROW-03/a\t", "\t-\t"))

    def test_an_open_point(self):
        self.assertIn("is open by D-192, which the note does not name", self.changed("\tD-192\n", "\t\n"))
        self.assertIn("the register has no D-999", self.changed("D-082:", "D-999:"))

    def test_what_is_not_listed(self):
        rows = [row for row in self.list.splitlines(True) if not row.startswith("layouts/row-major.md")]
        text = self.said("".join(rows))
        self.assertIn("has nothing of layouts/row-major.md", text)
        self.assertIn("ROW-03/a calls itself an example", text)

    def test_the_pages(self):
        checkout = self.tree / "checkout"
        (checkout / "docs/spec").mkdir(parents=True)
        page = checkout / "docs/spec/page.md"
        page.write_text(PAGE)
        whole = HEAD + "page.md\t3-5\tis at 6\tROW-03/a\t\n"
        self.assertNotIn("page.md", self.said(whole, checkout))
        self.assertIn("page.md 3-5 does not say: is at 7", self.said(whole.replace("at 6", "at 7"), checkout))
        self.assertIn("page.md:5 looks like an example", self.said(whole.replace("3-5\tis at 6", "3-4\tExample"), checkout))
        shutil.move(page, checkout / "docs/spec/other.md")
        self.assertIn("the page is gone", self.said(whole, checkout))


if __name__ == "__main__":
    unittest.main()
