"""The two proofs, broken once each."""

import pathlib
import tempfile
import unittest

import algorithm_names_no_scalar as separation
import kernels_name_no_set as sharing

SOUND_KERNELS = [
    "0000 W void plumbline::binary_kernel<double, plumbline::add_op>(std::span<double const>)",
    "0000 W void plumbline::binary_kernel<plumbline::df64, plumbline::add_op>(std::span<plumbline::df64 const>)",
    "0000 W double plumbline::fold_kernel<double, plumbline::add_op>(double, std::span<double const>)",
    "         U plumbline::df64 plumbline::fold_kernel<plumbline::df64, plumbline::add_op>(plumbline::df64)",
]
SOUND_SYMBOLS = [
    "0000 T plumbline::sum_of_squares(plumbline::program&, plumbline::value)",
    "0010 T plumbline::evaluate(plumbline::session const&)",
    "0020 W std::expected<> plumbline::qr_loss<plumbline::any_qr_loss_capabilities>(plumbline::erased_tensor)",
    "                 U plumbline::standard_ones(plumbline::element_type const&)",
]


class Kernels(unittest.TestCase):
    def said(self, lines):
        return [line for line in sharing.breaches(lines) if not line.startswith("=")]

    def test_sound(self):
        self.assertEqual(self.said(SOUND_KERNELS), [])

    def test_each_path_of_each_entry_is_needed(self):
        for missing in range(4):
            lines = [line for k, line in enumerate(SOUND_KERNELS) if k != missing]
            self.assertEqual(len(self.said(lines)), 1, missing)

    def test_a_set_a_lambda_or_a_foreign_parameter(self):
        for parameters in ("plumbline::df64, plumbline::add_op, plumbline::application_set",
                           "plumbline::extended_set, plumbline::add_op",
                           "double, plumbline::run()::{lambda(double, double)#1}",
                           "double, plumbline::add_op, 7",
                           "plumbline::other, plumbline::add_op"):
            line = f"0000 W void plumbline::binary_kernel<{parameters}>(double)"
            self.assertTrue(self.said([*SOUND_KERNELS, line]), parameters)


class Separation(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name).resolve()
        self.real = pathlib.Path(__file__).resolve().parents[2]
        for name in separation.ALLOWED:
            self.write(name, (self.real / name).read_text())
        self.write("reference/consumers/algorithm/qr_loss.cpp",
                   (self.real / "reference/consumers/algorithm/qr_loss.cpp").read_text())

    def write(self, name, text):
        path = self.tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def said(self):
        files = separation.sources(self.tree)
        return [*separation.words_in_sources(files), *separation.includes(self.tree, files)]

    def test_sound(self):
        self.assertEqual(self.said(), [])
        self.assertEqual(list(separation.words_in_symbols(SOUND_SYMBOLS)), [])

    def test_a_scalar_in_a_source(self):
        name = "reference/consumers/algorithm/capabilities.h"
        for word in ("double", "df64", "f64", "qr_operation<T>", "contribute_df64"):
            self.write(name, (self.real / name).read_text() + f"// {word}\n")
            self.assertEqual(len(self.said()), 1, word)

    def test_an_include_that_leads_to_a_scalar(self):
        self.write("reference/scalar/df64.h", "")
        name = "reference/runtime/program.h"
        self.write(name, (self.real / name).read_text() + '#include "../scalar/df64.h"\n')
        self.assertEqual(self.said(), ["program.h leads to reference/scalar/df64.h"])

    def test_no_includes_prove_nothing(self):
        for name in ("qr_loss.cpp", "qr_loss.h", "capabilities.h"):
            self.write(f"reference/consumers/algorithm/{name}", "")
        self.assertTrue(any("nothing is proved" in line for line in self.said()))

    def test_a_scalar_in_a_symbol(self):
        line = "                 U plumbline::type_of<double>()"
        self.assertEqual(len(list(separation.words_in_symbols([*SOUND_SYMBOLS, line]))), 2)
        line = "0000 W _ZN9plumbline7qr_lossITkNS_20qr_loss_capabilitiesENS_4df64EEEvv"
        self.assertEqual(len(list(separation.words_in_symbols([*SOUND_SYMBOLS, line]))), 1)
        for missing in range(3):
            lines = [s for k, s in enumerate(SOUND_SYMBOLS) if k != missing]
            self.assertEqual(len(list(separation.words_in_symbols(lines))), 1, missing)


if __name__ == "__main__":
    unittest.main()
