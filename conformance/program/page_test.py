"""The report's page in a headless Chromium: the filter hides, the byte at fault is marked.

    page_test.py PLUMBLINE CHROMIUM WORK        leaves light.png, dark.png and phone.png in WORK
"""

import json
import os
import subprocess
import sys
import time

from browser import Browser

PLUMBLINE, CHROMIUM, WORK = sys.argv[1:]
HERE = os.path.dirname(os.path.abspath(__file__))
VISIBLE = "[...document.querySelectorAll('.case')].filter(e => e.offsetParent !== null)"


def make_report():
    page, lines = os.path.join(WORK, "report.html"), os.path.join(WORK, "report.jsonl")
    adapter = [sys.executable, os.path.join(HERE, "tamper.py"), PLUMBLINE, "ELT-01,HDR-06,SHP-02+1"]
    done = subprocess.run([PLUMBLINE, "run", "--filter", "^(ELT-01|HDR-06|SHP-02|MEM|FLG-02)", "--quiet",
                           "--html", page, "--jsonl", lines, "--", *adapter], timeout=120)
    assert done.returncode == 1, done.returncode
    with open(lines) as file:
        next(file)
        return page, [json.loads(line) for line in file]


def choose(browser, expression, text):
    """Types into the search field as a person would."""
    browser.value("(%s).focus(); (%s).select()" % (expression, expression))
    browser.call("Input.insertText", text=text)


def check(browser, page, cases):
    browser.screen(1200, 900)
    browser.open("file://" + page)
    assert browser.value("performance.getEntriesByType('resource').length") == 0, "it loads something"
    failed = [c for c in cases if c["outcome"] == "fail"]
    passed = [c for c in cases if c["outcome"] == "pass"]
    assert failed and passed
    shown = json.loads(browser.value("JSON.stringify(%s.map(e => [e.dataset.id, e.dataset.kind]))" % VISIBLE))
    assert {i for i, kind in shown if kind == "fail"} == {c["id"] for c in failed}, shown
    assert browser.value("document.querySelector('#tiles .fail').textContent") == str(len(failed))
    assert browser.value("document.querySelector('#tiles .pass').textContent") == str(len(passed))

    # The byte at fault, of every refusal that became an accept.
    marks = json.loads(browser.value(
        "JSON.stringify([...document.querySelectorAll('.case[data-kind=fail]')].map(e => [e.dataset.id,"
        " [...e.querySelectorAll('.fault')].map(m => [Number(m.dataset.offset), m.textContent])]))"))
    checked = 0
    for case_id, marked in marks:
        case = next(c for c in failed if c["id"] == case_id)
        offset = int(case["expected"].rsplit(" at ", 1)[1])
        data = bytes.fromhex(case["requests"][0].split(" ")[2])
        assert len(marked) == 1 and marked[0][0] == offset, (case_id, marked, offset)
        size = len(marked[0][1].split())
        assert bytes.fromhex(marked[0][1]) == data[offset:offset + size], (case_id, marked)
        checked += 1
    assert checked == len(failed)
    at_14 = browser.value("document.querySelector('.case[data-id=\"ELT-01/b\"] .fault').title")
    assert at_14.startswith("byte 14: type_tag = "), at_14

    # The filter: by words, and by outcome. First everything is opened.
    browser.value("document.querySelectorAll('details.group, details.clause').forEach(e => { e.open = true; })")
    time.sleep(0.3)
    everything = browser.value(VISIBLE + ".length")
    assert everything == len(cases), (everything, len(cases))
    choose(browser, "document.querySelector('#search')", "ELT-01/b")
    some = json.loads(browser.value("JSON.stringify(%s.map(e => e.dataset.id))" % VISIBLE))
    assert 0 < len(some) < everything and all("ELT-01/b" in i for i in some), some
    assert browser.value("document.querySelector('[data-group=HDR]').offsetParent === null")
    choose(browser, "document.querySelector('#search')", "no such words")
    assert browser.value(VISIBLE + ".length") == 0
    assert browser.value("document.querySelector('#none').offsetParent !== null")
    browser.value("document.querySelector('#search').select()")
    browser.call("Input.dispatchKeyEvent", type="keyDown", key="Backspace", code="Backspace", windowsVirtualKeyCode=8)
    browser.call("Input.dispatchKeyEvent", type="keyUp", key="Backspace", code="Backspace", windowsVirtualKeyCode=8)
    assert browser.value(VISIBLE + ".length") == everything
    browser.value("document.querySelector('#filter input[value=pass]').click()")
    kinds = set(json.loads(browser.value("JSON.stringify(%s.map(e => e.dataset.kind))" % VISIBLE)))
    assert "fail" in kinds and "pass" not in kinds, kinds
    browser.value("document.querySelector('#filter input[value=pass]').click()")
    browser.value("document.querySelectorAll('details.clause').forEach(e => {"
                  " e.open = !!e.querySelector('.case[data-kind=fail]'); })")


def contrast(browser, selector):
    """The ratio between an element's colour and what lies behind it."""
    return browser.value("""(() => {
      const numbers = c => c.match(/[\\d.]+/g).map(Number);
      const light = c => { const [r, g, b] = numbers(c).map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
      const e = document.querySelector(%r);
      let back = e;
      while (numbers(getComputedStyle(back).backgroundColor)[3] === 0) back = back.parentElement;
      const [a, b] = [light(getComputedStyle(e).color), light(getComputedStyle(back).backgroundColor)].sort((x, y) => y - x);
      return (a + 0.05) / (b + 0.05);
    })()""" % selector)


def looks(browser):
    grounds = []
    for name, width, height, dark, phone in [("light", 1200, 1000, False, False), ("dark", 1200, 1000, True, False),
                                             ("phone", 390, 844, False, True)]:
        browser.screen(width, height, dark, phone)
        time.sleep(0.2)
        assert browser.value("document.documentElement.scrollWidth") <= width, name + " scrolls sideways"
        grounds.append(browser.value("getComputedStyle(document.body).backgroundColor"))
        for selector in ("h1", "p.about", ".tag.fail", "pre.bytes .fault", ".case .soft"):
            ratio = contrast(browser, selector)
            assert ratio >= 4.5, "%s: %s has a contrast of %.1f" % (name, selector, ratio)
        browser.picture(os.path.join(WORK, name + ".png"))
    assert grounds[0] != grounds[1], "light and dark are the same"


def main():
    if not CHROMIUM or CHROMIUM.endswith("NOTFOUND"):
        print("skipped: Chromium is not installed")
        return
    os.makedirs(WORK, exist_ok=True)
    page, cases = make_report()
    browser = Browser(CHROMIUM)
    try:
        check(browser, page, cases)
        looks(browser)
    finally:
        browser.close()
    print("the filter hides, the bytes at fault are marked; light, dark and phone: as expected")


main()
