"""test_summary.py, fed with what CTest itself writes:  test_summary_test.py CMAKE CTEST"""

import pathlib
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).with_name("test_summary.py")
CMAKE, CTEST = sys.argv[1:]
PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(summed LANGUAGES NONE)
enable_testing()
add_test(NAME good COMMAND ${CMAKE_COMMAND} -E true)
add_test(NAME lacking COMMAND ${CMAKE_COMMAND} -E echo "skipped: no such tool")
set_tests_properties(lacking PROPERTIES SKIP_REGULAR_EXPRESSION "skipped: ")
if(BROKEN)
  add_test(NAME bad COMMAND ${CMAKE_COMMAND} -E false)
  add_test(NAME absent COMMAND no_such_program)
  add_test(NAME off COMMAND ${CMAKE_COMMAND} -E true)
  set_tests_properties(off PROPERTIES DISABLED ON)
endif()
"""


def run(folder, name, broken):
    build = folder / name
    subprocess.run([CMAKE, "-S", folder, "-B", build, f"-DBROKEN={broken}"], check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run([CTEST, "--test-dir", build, "--output-junit", build / "results.xml"],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return f"{name}={build / 'results.xml'}"


def expect(runs, status, *lines):
    summary = subprocess.run([sys.executable, "-B", SCRIPT, *runs], capture_output=True, text=True)
    output = summary.stdout.splitlines()
    print(summary.stdout, summary.stderr)
    assert summary.returncode == status, summary.returncode
    for line in lines:
        assert line in output, line
    assert output[-1] == lines[-1], output[-1]


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "CMakeLists.txt").write_text(PROJECT)
    sound = run(folder, "sound", "OFF")
    broken = run(folder, "broken", "ON")
    expect([sound], 0, "skipped: lacking (sound): no such tool", "1 passed, 0 failed, 1 skipped")
    expect([sound, broken], 1, "failed: bad (broken)", "failed: absent (broken): Unable to find executable",
           "skipped: off (broken): disabled", "2 passed, 2 failed, 3 skipped")
    expect([sound, f"lost={folder / 'lost.xml'}"], 1, "lost       did not build or did not run",
           "1 passed, 1 failed, 1 skipped")
    (folder / "empty.xml").write_text("<testsuite/>")
    expect([sound, f"empty={folder / 'empty.xml'}"], 1, "1 passed, 1 failed, 1 skipped")
