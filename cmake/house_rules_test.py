"""Each rule of house_rules.py, broken once."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).with_name("house_rules.py")


class HouseRules(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)
        self.write("reference/bytes.h", '#include <vector>\n')
        self.write("reference/types/packing.cpp", '#include "../bytes.h"\n')
        self.write("reference/types/packing_test.cpp", '#include <catch2/catch.hpp>\n')
        self.write("kernels/fast.h", '')

    def write(self, name, text):
        path = self.tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_rules(self, *options):
        return subprocess.run([sys.executable, "-B", SCRIPT, self.tree, *options],
                              capture_output=True, text=True)

    def assert_breach(self, breach, *options):
        result = self.run_rules(*options)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn(breach, result.stdout)

    def test_a_sound_tree_passes(self):
        result = self.run_rules("--interface-options=-Wall;-ffp-contract=off")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("2 files in reference/", result.stdout)

    def test_an_empty_tree_does_not_pass(self):
        (self.tree / "reference").rename(self.tree / "moved")
        self.assertNotEqual(self.run_rules().returncode, 0)

    def test_foreign_includes(self):
        for name in ("<boost/rational.hpp>", "<sched.h>", '"../kernels/fast.h"', '"absent.h"'):
            self.write("reference/foreign.cpp", f"#include {name}\n")
            self.assert_breach(f"reference/foreign.cpp: includes {name[1:-1]}")

    def test_what_only_tests_have(self):
        self.write("reference/test_operands.h", "#include <catch2/catch.hpp>\n")
        self.assertEqual(self.run_rules().returncode, 0)
        self.write("reference/user.cpp", '#include "test_operands.h"\n')
        self.assert_breach("reference/user.cpp: includes test_operands.h")

    def test_length(self):
        self.write("reference/long.cpp", "\n" * 300)
        self.assertEqual(self.run_rules().returncode, 0)
        self.write("reference/long.cpp", "\n" * 301)
        self.assert_breach("reference/long.cpp: 301 lines")

    def test_machine_paths(self):
        for folder in ("home", "root", "work"):
            self.write("notes.md", f"first\nsee `/{folder}/someone/notes`\n")
            self.assert_breach("notes.md:2: an absolute path")
        self.write("notes.md", "${dir}/work/x and build/work/x and ../home/x\n")
        self.assertEqual(self.run_rules().returncode, 0)

    def test_shared_folder(self):
        text = "cd ../" + "shared\n"
        self.write(".ci/run", text)
        self.assertEqual(self.run_rules().returncode, 0)
        self.write("dev", text)
        self.assert_breach("dev:1: a folder outside the project")

    def test_build_folders_are_not_looked_through(self):
        self.write("build/log", "/" + "home/someone\n")
        self.assertEqual(self.run_rules().returncode, 0)

    def test_tracked_files_alone_where_git_is(self):
        try:
            subprocess.run(["git", "-C", self.tree, "init", "-q"], check=True)
        except FileNotFoundError:
            self.skipTest("no git")
        self.write("notes.md", "/" + "home/someone\n")
        self.assertEqual(self.run_rules().returncode, 0)
        subprocess.run(["git", "-C", self.tree, "add", "notes.md"], check=True)
        self.assert_breach("notes.md:1: an absolute path")

    def test_contraction(self):
        self.assert_breach("-ffp-contract=off is not", "--interface-options=-Wall;-ffp-contract=fast")
        self.assert_breach("-ffp-contract=off is not", "--interface-options=")


if __name__ == "__main__":
    unittest.main()
