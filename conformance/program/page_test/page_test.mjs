// The report's page in a headless Chromium, driven by playwright-core: the filter hides, the bytes at
// fault are marked, skipped and claimed are told apart, nothing that an adapter says becomes markup.
//
//   node page_test.mjs PLUMBLINE CHROMIUM NPM PYTHON WORK     leaves light.png, dark.png, phone.png in WORK
//
// The package is that of package-lock.json, checked by its hash and put into WORK; the lock names no
// place to get it from, so that npm asks the registry it is set up for.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [plumbline, chromium, npm, python, work] = process.argv.slice(2);
const here = path.dirname(fileURLToPath(import.meta.url));

// playwright-core from WORK, installed where this lock was not installed before.
function playwright() {
  const folder = path.join(work, 'packages');
  const lock = readFileSync(path.join(here, 'package-lock.json'), 'utf8');
  assert(!lock.includes('"resolved"'), 'the lock names a registry; .npmrc keeps it from doing so');
  const installed = path.join(folder, 'installed-lock.json');
  if (!existsSync(installed) || readFileSync(installed, 'utf8') !== lock) {
    mkdirSync(folder, { recursive: true });
    for (const name of ['package.json', 'package-lock.json', '.npmrc'])
      copyFileSync(path.join(here, name), path.join(folder, name));
    const options = { cwd: folder, encoding: 'utf8', timeout: 240000 };
    const done = spawnSync(npm, ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=1'], options);
    if (done.status !== 0) {
      const unreachable = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH/.exec(done.stderr);
      if (!unreachable) throw new Error(`npm ci failed:\n${done.stderr}${done.error ?? ''}`);
      console.log(`skipped: playwright-core is not here, and npm reaches no registry (${unreachable[0]})`);
      process.exit(0);
    }
    copyFileSync(path.join(here, 'package-lock.json'), installed);
  }
  return createRequire(path.join(folder, 'package.json'))('playwright-core');
}

// A report of an adapter that is wrong on purpose: the page's address, and the cases of the JSON lines.
function report(name, filter, ...adapter) {
  const html = path.join(work, name + '.html'), lines = path.join(work, name + '.jsonl');
  const done = spawnSync(plumbline, ['run', '--filter', filter, '--quiet', '--html', html, '--jsonl', lines, '--', ...adapter],
    { encoding: 'utf8', timeout: 120000 });
  assert.equal(done.status, 1, done.stderr);
  const cases = readFileSync(lines, 'utf8').trimEnd().split('\n').slice(1).map((line) => JSON.parse(line));
  return { url: pathToFileURL(html).href, cases };
}

const shown = (page) => page.locator('.case:visible').evaluateAll((all) => all.map((e) => ({ ...e.dataset })));
const openAll = async (page) => {
  await page.evaluate(() => document.querySelectorAll('details.group, details.clause').forEach((e) => { e.open = true; }));
  await page.waitForTimeout(300);
};

async function marksTheBytes(page, cases) {
  const failed = cases.filter((c) => c.outcome === 'fail'), passed = cases.filter((c) => c.outcome === 'pass');
  assert(failed.length > 0 && passed.length > 0);
  // Failures are open from the beginning, and counted.
  const ids = (await shown(page)).filter((e) => e.kind === 'fail').map((e) => e.id);
  assert.deepEqual(ids.sort(), failed.map((c) => c.id).sort());
  assert.equal(await page.locator('#tiles .fail').textContent(), String(failed.length));
  assert.equal(await page.locator('#tiles .pass').textContent(), String(passed.length));
  // Of every refusal that became an accept or was misplaced, the field that begins at the byte at fault.
  for (const c of failed) {
    const marks = page.locator(`.case[data-id="${c.id}"] .fault`);
    assert.equal(await marks.count(), 1, c.id);
    const offset = Number(c.expected.split(' at ').pop()), data = Buffer.from(c.requests[0].split(' ')[2], 'hex');
    assert.equal(await marks.getAttribute('data-offset'), String(offset), c.id);
    const hex = (await marks.textContent()).replaceAll(' ', '');
    assert.equal(hex, data.subarray(offset, offset + hex.length / 2).toString('hex'), c.id);
  }
  assert.match(await page.locator('.case[data-id="ELT-01/b"] .fault').getAttribute('title'), /^byte 14: type_tag = /);
  return failed.length;
}

async function filters(page, cases) {
  await openAll(page);
  assert.equal((await shown(page)).length, cases.length);
  const search = page.getByRole('searchbox');
  await search.fill('ELT-01/b');
  const some = await shown(page);
  assert(some.length > 0 && some.length < cases.length && some.every((e) => e.id.includes('ELT-01/b')), JSON.stringify(some));
  assert(await page.locator('[data-group=HDR]').isHidden());
  await search.fill('no such words');
  assert.equal((await shown(page)).length, 0);
  assert(await page.locator('#none').isVisible());
  await search.fill('');
  assert.equal((await shown(page)).length, cases.length);
  await page.getByLabel('passed', { exact: true }).uncheck();
  const kinds = new Set((await shown(page)).map((e) => e.kind));
  assert(kinds.has('fail') && !kinds.has('pass'), [...kinds].join());
  await page.getByLabel('passed', { exact: true }).check();
}

// Passed, claimed, verified and skipped each say so in words, and can be had alone.
async function tellsApart(page, { url, cases }) {
  await page.goto(url);
  await openAll(page);
  const of = (what) => cases.filter(what).length;
  const claimed = of((c) => c.accept === 'claimed'), verified = of((c) => c.accept === 'verified');
  const skipped = of((c) => c.outcome.startsWith('skip'));
  assert(claimed > 0 && skipped > 0);
  assert.equal(await page.locator('.case:visible', { hasText: '· claimed' }).count(), claimed);
  assert.equal(await page.locator('.case:visible', { hasText: '· verified' }).count(), verified);
  assert.equal(await page.locator('.case[data-kind=skip]:visible').count(), skipped);
  await page.getByLabel('only claimed accepts').check();
  assert.equal((await shown(page)).length, claimed);
  await page.getByLabel('only claimed accepts').uncheck();
  for (const name of ['failed', 'known', 'passed', 'not scored']) await page.getByLabel(name, { exact: true }).uncheck();
  assert.deepEqual(new Set((await shown(page)).map((e) => e.kind)), new Set(['skip']));
}

// What an adapter says is shown, and is neither markup nor script.
async function saysOnly(page, { url, cases }) {
  await page.goto(url);
  await openAll(page);
  assert.equal(await page.evaluate(() => window.taken), undefined);
  assert.equal(await page.locator('main img, main script, main b b, h1 *').count(), 0);
  assert.match(await page.locator('h1').textContent(), /^<b>hostile<\/b>/);
  const talk = await page.locator('.case pre:not(.bytes)').first().evaluate((e) => e.textContent);
  assert(talk.includes('</script><script>window.taken=1</script>'), talk);
  assert(cases.some((c) => c.stderr && c.stderr.includes('\uFFFD')), 'no broken text was said');
}

// The ratio between an element's colour and what lies behind it.
const contrast = (page, selector) => page.locator(selector).first().evaluate((e) => {
  const numbers = (c) => c.match(/[\d.]+/g).map(Number);
  const light = (c) => {
    const [r, g, b] = numbers(c).map((v) => ((v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  let back = e;
  while (numbers(getComputedStyle(back).backgroundColor)[3] === 0) back = back.parentElement;
  const [a, b] = [light(getComputedStyle(e).color), light(getComputedStyle(back).backgroundColor)].sort((x, y) => y - x);
  return (a + 0.05) / (b + 0.05);
});

async function looks(browser, url) {
  const grounds = [];
  const screens = [
    ['light', { viewport: { width: 1200, height: 1000 }, colorScheme: 'light' }],
    ['dark', { viewport: { width: 1200, height: 1000 }, colorScheme: 'dark' }],
    ['phone', { viewport: { width: 390, height: 844 }, colorScheme: 'light', isMobile: true, hasTouch: true }],
  ];
  for (const [name, screen] of screens) {
    const context = await browser.newContext(screen), page = await context.newPage();
    await page.goto(url);
    assert(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name + ' scrolls sideways');
    if (name === 'phone') {
      const size = await page.locator('pre.bytes').first().evaluate((e) => parseFloat(getComputedStyle(e).fontSize));
      assert(size >= 12, `bytes of ${size} px on a phone`);
    }
    grounds.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
    for (const selector of ['h1', 'p.about', '.tag.fail', 'pre.bytes .fault', '.case .soft', '.count b']) {
      const ratio = await contrast(page, selector);
      assert(ratio >= 4.5, `${name}: ${selector} has a contrast of ${ratio.toFixed(1)}`);
    }
    await page.screenshot({ path: path.join(work, name + '.png') });
    await context.close();
  }
  assert.notEqual(grounds[0], grounds[1], 'light and dark are the same');
}

mkdirSync(work, { recursive: true });
const { chromium: browserType } = playwright();
const tamper = [python, path.join(here, '..', 'tamper.py'), plumbline];
const main = report('report', '^(ELT-01|HDR-06|SHP-02|MEM|FLG-02)', ...tamper, 'ELT-01,HDR-06,SHP-02+1');
const hostile = report('hostile', '^(ELT-01|HDR-06)/', python, path.join(here, 'hostile.py'));
const browser = await browserType.launch({ executablePath: chromium, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  const asked = [], faults = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => { if (message.type() === 'error') faults.push(message.text()); });
  page.on('dialog', (dialog) => { faults.push('a dialog'); dialog.dismiss(); });
  await page.goto(main.url);
  const marked = await marksTheBytes(page, main.cases);
  await filters(page, main.cases);
  await tellsApart(page, main);
  await saysOnly(page, hostile);
  assert(asked.every((url) => url === main.url || url === hostile.url), 'the page loads ' + asked.join(' '));
  assert.deepEqual(faults, []);
  await looks(browser, main.url);
  console.log(`${marked} failures marked, the filter hides; light, dark and phone: as expected`);
} finally {
  await browser.close();
}
