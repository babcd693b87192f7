"""Sums up runs of CTest:  test_summary.py NAME=RESULTS.xml ..  (as ctest --output-junit writes them)

Names every failed and every skipped test. Ends with a line "N passed, N failed, N skipped"; exits
with 1 when a test failed, when a run left no results, or when nothing passed.
"""

import pathlib
import re
import sys
import xml.etree.ElementTree as xml


def outcome(case):
    """passed, failed or skipped, and why. A test that could not be started has failed."""
    if case.get("status") == "run":
        return "passed", ""
    if case.get("status") == "disabled":
        return "skipped", "disabled"
    skipped = case.find("skipped")
    message = skipped.get("message", "") if skipped is not None else ""
    if case.get("status") == "notrun" and message.startswith("SKIP_"):
        said = re.search(r"skipped: (.*)", case.findtext("system-out") or "")
        return "skipped", said.group(1).strip() if said else message
    return "failed", message


def main():
    total = {"passed": 0, "failed": 0, "skipped": 0}
    named = []
    for run in sys.argv[1:]:
        name, path = run.split("=", 1)
        if not pathlib.Path(path).is_file():
            print(f"{name:10} did not build or did not run")
            total["failed"] += 1
            continue
        count = dict.fromkeys(total, 0)
        cases = xml.parse(path).getroot().findall("testcase")
        for case in cases:
            what, why = outcome(case)
            count[what] += 1
            if what != "passed":
                named.append(f"{what}: {case.get('name')} ({name}){': ' + why if why else ''}")
        if not cases:
            named.append(f"failed: no test in {name}")
            count["failed"] += 1
        print(f"{name:10} " + ", ".join(f"{n} {what}" for what, n in count.items()))
        for what, n in count.items():
            total[what] += n
    for line in sorted(named):
        print(line)
    print(", ".join(f"{n} {what}" for what, n in total.items()))
    return 0 if total["failed"] == 0 and total["passed"] > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
