// The page in a real browser: `node test/browser.mjs PROGRAM [--shots FOLDER]`. PROGRAM is a rookery with the
// feature `web`. Nothing here measures time: waits end when something happens, or fail after minutes.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const [program, ...options] = process.argv.slice(2);
const shots = options[0] === '--shots' ? options[1] : undefined;
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const AXE = readFileSync(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
const PGN = `[White "Morphy"]\n[Black "Duke Karl / Count Isouard"]\n[Result "1-0"]\n
1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 {theatre}
b5 10. Nxb5 cxb5 (10... Qb4+ 11. Qxb4 Bxb4+ 12. c3) 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7
16. Qb8+ Nxb8 17. Rd8# 1-0`;

/** Starts the program and waits for its address. */
function serve(port) {
  const files = ['--syzygy', '../testdata/syzygy', '--book', '../testdata/polyglot/rodent_micro.bin'];
  const child = spawn(program, ['serve', '--port', `${port}`, '--hash', '16', ...files], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', data => {
      text += data;
      const address = /http:\S+/.exec(text)?.[0];
      if (address) resolve({ child, address, port: Number(new URL(address).port) });
    });
    child.on('exit', status => reject(new Error(`the server ended with status ${status}: ${text}`)));
  });
}

const stop = server => new Promise(resolve => {
  server.child.removeAllListeners('exit');
  server.child.on('exit', resolve);
  server.child.kill('SIGKILL');
});

async function square(page, name) {
  const box = await page.locator('#board cg-board').boundingBox();
  const flipped = await page.locator('#board.orientation-black').count();
  const [file, rank] = [name.charCodeAt(0) - 97, Number(name[1]) - 1];
  const [column, row] = flipped ? [7 - file, rank] : [file, 7 - rank];
  return { x: box.x + (column + 0.5) * box.width / 8, y: box.y + (row + 0.5) * box.height / 8 };
}

async function click(page, ...names) {
  for (const name of names) {
    const { x, y } = await square(page, name);
    await page.mouse.click(x, y);
  }
}

const moves = page => page.locator('#moves button').allTextContents();
const until = (page, check, argument) => page.waitForFunction(check, argument, { timeout: 300_000 });
const played = (page, count) => until(page, wanted => document.querySelectorAll('#moves button').length >= wanted, count);
const status = (page, pattern) => until(page, text => new RegExp(text).test(document.getElementById('status').textContent), pattern);

async function open(browser, address, settings = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, ...settings });
  const faults = [];
  page.on('pageerror', error => faults.push(error.message));
  page.on('console', message => {
    if (message.type() === 'error' && !/Failed to load resource|ERR_/.test(message.text())) faults.push(message.text());
  });
  page.setDefaultTimeout(120_000);
  page.faults = faults;
  await page.goto(address);
  await page.waitForSelector('body[data-ready]');
  return page;
}

async function load(page, text) {
  await page.click('#mode-analyse');
  await page.fill('#load-text', text);
  await page.click('#load button:has-text("Load")');
}

async function shoot(page, name) {
  if (!shots) return;
  mkdirSync(shots, { recursive: true });
  // For a picture without half a movement.
  await page.evaluate(() => scrollTo(0, 0));
  await page.waitForTimeout(3000);
  await page.screenshot({ path: join(shots, `${name}.png`) });
}

/** Nothing serious may be found by axe. */
async function accessible(page, where) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  const serious = violations.filter(one => ['serious', 'critical'].includes(one.impact));
  assert.deepEqual(serious.map(one => `${one.id}: ${one.nodes.map(node => node.html).join(' ')}`), [], where);
}

const TESTS = {
  async 'the page is small, and ready after little work'({ browser, server }) {
    const page = await browser.newPage();
    await browser.startTracing(page, { categories: ['blink.user_timing'] });
    await page.goto(server.address);
    await page.waitForSelector('body[data-ready]');
    const { traceEvents } = JSON.parse(await browser.stopTracing());
    // Processor time of the thread that runs the page, from its start: a busy machine makes us wait, but not work.
    const work = traceEvents.find(event => event.name === 'ready').tts / 1000;
    assert.ok(work > 0 && work < 1000, `${work} ms of work before a first move`);
    const { ready, requests } = await page.evaluate(() => {
      const ready = performance.getEntriesByName('ready')[0].startTime;
      const own = ['navigation', 'resource'].flatMap(kind => performance.getEntriesByType(kind)).filter(one => one.startTime < ready);
      return { ready, requests: own.map(({ name, initiatorType, encodedBodySize, transferSize }) => ({ name, initiatorType, encodedBodySize, transferSize })) };
    });
    const bytes = requests.reduce((sum, one) => sum + Math.max(one.encodedBodySize, one.transferSize), 0);
    console.log(`        ready after ${work.toFixed(0)} ms of work (${ready.toFixed(0)} ms), ${requests.length} requests, ${Math.ceil(bytes / 1024)} KB`);
    // An icon may be asked for again.
    const names = [...new Set(requests.map(one => one.name))];
    assert.ok(names.length <= 5, `page, style, script, icon and what the server can do: ${names}`);
    assert.ok(bytes > 0 && bytes < 300 * 1024, `${bytes} bytes`);
    assert.equal(requests.filter(one => one.initiatorType === 'script').length, 1, 'one script');
    assert.equal(requests.filter(one => one.initiatorType === 'fetch').length, 1, 'one question');
    for (const name of names) assert.equal(new URL(name).origin, new URL(server.address).origin, 'nothing comes from elsewhere');
    await page.click('#mode-analyse');
    assert.equal(await page.getAttribute('body', 'data-mode'), 'analyse');
    await page.close();
  },

  async 'the first move on the board starts a game'({ page }) {
    await status(page, 'Make a move, or choose a level');
    await page.check('input[name=side][value=black]');
    await status(page, '^Choose a level and start');
    await page.check('input[name=side][value=white]');
    await page.fill('#level', '1');
    await click(page, 'd2', 'd4');
    await played(page, 2);
    assert.equal((await moves(page))[0], 'd4');
    assert.match(await page.textContent('#player-top'), /Rookery, level 1 \(Black\)/);
  },

  async 'e2e4 is played by mouse and answered'({ page }) {
    await page.fill('#level', '3');
    await page.click('#new-game button');
    await click(page, 'e2', 'e4');
    await played(page, 2);
    assert.equal((await moves(page))[0], 'e4');
    await status(page, 'Your move');
    await page.click('#takeback');
    assert.deepEqual(await moves(page), []);
    await page.fill('#move-text', 'e4');
    await page.press('#move-text', 'Enter');
    await played(page, 2);
    await status(page, 'Your move');
    await page.click('#hint');
    await page.click('#first');
    await status(page, 'Hint: ');
    assert.equal(await page.locator('#moves button[aria-current]').textContent(), (await moves(page))[1], 'the hint is shown in its own position');
    await page.click('#takeback');
    assert.deepEqual(await moves(page), []);
    // The library's own colours are those of coordinates on the other side of the board.
    const colors = await page.locator('#board coord').evaluateAll(all => all.map(one => getComputedStyle(one).color));
    assert.deepEqual([...new Set(colors)], ['rgb(74, 47, 26)'], 'dark letters on every square');
    await page.click('#draw');
    await status(page, 'declines');
    await accessible(page, 'play');
    for (const [number, move] of ['e4', 'd4', 'Nf3', 'Nc3'].entries()) {
      await page.fill('#move-text', move);
      await page.press('#move-text', 'Enter');
      if (await page.inputValue('#move-text')) continue;
      await status(page, 'Your move');
      if (shots && number === 3) await page.click('#hint').then(() => status(page, 'Hint: '));
    }
    await page.fill('#move-text', '');
    await shoot(page, 'play');
    await page.click('#resign');
    await status(page, 'Black wins: White resigns');
  },

  async 'by keyboard alone, as Black, with a clock and the moves read aloud'({ page }) {
    const tab = async id => {
      for (let tries = 0; tries < 80; tries++) {
        if (await page.evaluate(() => document.activeElement.id) === id) return;
        await page.keyboard.press('Tab');
      }
      assert.fail(`the key Tab never comes to ${id}`);
    };
    await tab('level');
    await page.keyboard.press('Home');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    await tab('time');
    for (const key of ['ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
    await tab('variant');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await played(page, 1);
    await status(page, 'Your move \\(Black\\)');
    assert.match(await page.textContent('#player-bottom .clock'), /^\d:\d\d/);
    await page.focus('#moves');
    await page.keyboard.press('m');
    await page.keyboard.type('e7 e5');
    await page.keyboard.press('Enter');
    await played(page, 3);
    const heard = await page.textContent('#announcements');
    assert.match(heard, /You: e5\./);
    assert.match(heard, /Rookery: (knight |bishop |queen |king |rook )?[a-h]/);
    await page.keyboard.press('Enter');
    assert.match(await page.textContent('#move-error'), /Type a move/);
    await page.keyboard.type('e7e5');
    assert.equal(await page.textContent('#move-error'), '');
    await page.keyboard.press('Enter');
    assert.match(await page.textContent('#move-error'), /no legal move/);
    assert.match(await page.textContent('#announcements'), /no legal move/);
    assert.match(await page.textContent('#position'), /White: king [a-h]\d.*to move/);
  },

  async 'a move that was made ahead is played'({ page, server }) {
    await page.fill('#level', '0');
    await page.click('#new-game button');
    // The engine thinks for as long as the server stands still.
    server.child.kill('SIGSTOP');
    await click(page, 'd2', 'd4');
    await status(page, 'thinks');
    await click(page, 'a2', 'a3');
    await page.waitForSelector('square.current-premove');
    server.child.kill('SIGCONT');
    await played(page, 4);
    assert.equal((await moves(page))[2], 'a3');
  },

  async 'a reload does not end a game'({ page }) {
    await page.fill('#level', '1');
    await page.selectOption('#time', '30+20');
    await page.click('#new-game button');
    await click(page, 'g1', 'f3');
    await played(page, 2);
    await status(page, 'Your move');
    const before = await moves(page);
    // The analysis has a copy of the game.
    await page.click('#study');
    await page.fill('#move-text', 'd4');
    await page.press('#move-text', 'Enter');
    await played(page, 3);
    await page.click('#mode-play');
    assert.deepEqual(await moves(page), before);
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    assert.deepEqual(await moves(page), before);
    assert.match(await page.textContent('#player-bottom .clock'), /^(30|29):/);
    await click(page, 'g2', 'g3');
    await played(page, 4);
  },

  async 'a browser that may keep nothing plays all the same'({ browser, server }) {
    const page = await browser.newPage();
    const faults = [];
    page.on('pageerror', error => faults.push(error.message));
    await page.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get() { throw new Error('refused'); } });
    });
    await page.goto(server.address);
    await page.waitForSelector('body[data-ready]');
    await page.fill('#level', '0');
    await page.click('#new-game button');
    await page.fill('#move-text', 'e4');
    await page.press('#move-text', 'Enter');
    await played(page, 2);
    for (const name of ['light', 'dark', 'auto']) {
      await page.click('#theme');
      assert.match(await page.textContent('#theme'), new RegExp(name));
    }
    await page.goto('about:blank');
    assert.deepEqual(faults, []);
    await page.close();
  },

  async 'Chess960 begins with another row and is played'({ page }) {
    await page.selectOption('#variant', 'chess960');
    await page.fill('#level', '0');
    await page.click('#new-game button');
    await page.fill('#move-text', 'e4');
    await page.press('#move-text', 'Enter');
    await played(page, 2);
  },

  async 'a pawn is promoted to what is chosen'({ page }) {
    await load(page, '8/P6k/8/8/8/8/8/K7 w - - 0 1');
    await click(page, 'a7', 'a8');
    await page.click('#promotion button[value=knight]');
    await played(page, 1);
    assert.match((await moves(page))[0], /^a8=N/);
    await page.keyboard.press('ArrowLeft');
    await page.fill('#move-text', 'a8');
    await page.press('#move-text', 'Enter');
    // The reason stays while the engine thinks.
    await until(page, () => /depth 1\d/.test(document.getElementById('numbers').textContent));
    assert.match(await page.textContent('#move-error'), /Say what the pawn becomes: a8=Q/);
    await page.fill('#move-text', 'a8=Q');
    await page.press('#move-text', 'Enter');
    await played(page, 2);
    assert.deepEqual((await moves(page)).map(text => text.slice(0, 4)), ['a8=N', 'a8=Q']);
  },

  async 'lines, chances and numbers come as the search goes'({ page }) {
    await load(page, 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1');
    await until(page, () => document.querySelectorAll('#pv li').length === 3);
    await until(page, () => /#1/.test(document.querySelector('#pv b').textContent));
    assert.match(await page.textContent('#numbers'), /depth \d+\/\d+ · .* nodes/);
    assert.match(await page.getAttribute('#chances', 'aria-label'), /White wins \d+ %, draw/);
    assert.equal(await page.getAttribute('#status', 'aria-live'), 'off', 'what changes all the time is not spoken');
    await page.click('#describe');
    assert.match(await page.textContent('#announcements'), /White to move\. Rookery thinks: White mates in 1; the best move is queen takes f7, checkmate\./);
    // The board draws an arrow for each line with its next frame.
    await until(page, () => document.querySelectorAll('.cg-shapes line').length >= 3);
    await page.click('#pv li:first-child button');
    await played(page, 1);
    assert.match((await moves(page))[0], /^Qxf7#/);
    await status(page, 'Checkmate');
    assert.equal(await page.getAttribute('#status', 'aria-live'), 'polite');
    assert.equal(await page.evaluate(() => document.getElementById('bar-white').style.height), '100%', 'White has won');
    await page.click('#mode-watch');
    await page.click('#watch-form button');
    await status(page, 'nothing to search');
    await page.click('#mode-analyse');
    await page.click('#terms summary');
    await page.keyboard.press('ArrowLeft');
    await until(page, () => document.querySelectorAll('#terms-table tr').length > 5);
    // The network's number for each man but the kings stands on the board.
    await until(page, () => document.querySelectorAll('.cg-custom-svgs text').length >= 20);
    await shoot(page, 'terms');
    await page.click('#terms summary');
    await until(page, () => !document.querySelector('.cg-custom-svgs text'));
  },

  async 'a line is clicked, and keeps the focus, while it changes'({ page }) {
    await page.click('#mode-analyse');
    const first = page.locator('#pv li:first-child button >> nth=0');
    await first.focus();
    const changes = async () => {
      const numbers = await page.textContent('#numbers');
      await until(page, before => document.getElementById('numbers').textContent !== before, numbers);
    };
    for (let times = 0; times < 3; times++) await changes();
    assert.ok(await first.evaluate(button => button === document.activeElement), 'the focus stays');
    const box = await first.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await changes();
    await page.mouse.up();
    await played(page, 1);
  },

  async 'the better line stands above the worse one at every moment of the search'({ page }) {
    await page.click('#mode-analyse');
    await page.evaluate(() => {
      window.pictures = [];
      new MutationObserver(() => {
        const scores = [...document.querySelectorAll('#pv b')].map(score => Number(score.textContent.replace('−', '-')));
        if (scores.length === 3) window.pictures.push(scores);
      }).observe(document.getElementById('pv'), { childList: true, characterData: true, subtree: true });
    });
    await load(page, 'rn2kb1r/pp2qppp/2p2n2/4p3/2B1P3/1QN5/PPP2PPP/R1B1K2R w KQkq - 0 9');
    await until(page, () => window.pictures.length >= 4);
    for (const scores of await page.evaluate(() => window.pictures))
      assert.deepEqual(scores, [...scores].sort((one, other) => other - one), 'White has the best line first');
  },

  async 'what book, tables and recognisers know is shown, and a move of it is played'({ page }) {
    const known = pattern => until(page, text => new RegExp(text).test(document.getElementById('known').textContent), pattern);
    await load(page, '8/8/8/4k3/8/8/8/KQ6 w - - 0 1');
    await known('Syzygy: win.*Recognisers: win');
    await page.click('#annotate');
    assert.match(await page.textContent('#load-error'), /There is no move to annotate/);
    await page.click('#terms summary');
    await until(page, () => /A known ending/.test(document.getElementById('terms-table').textContent));
    await page.click('#terms summary');
    await accessible(page, 'known');
    const best = (await page.textContent('#known button')).trim();
    await page.click('#known button >> nth=0');
    await played(page, 1);
    assert.match((await moves(page))[0], new RegExp(`^${best.replace('+', '\\+')}`));
    await page.click('#reset');
    await known('Book: .*e4 \\d+ %');
    await load(page, '8/8/8/8/8/4k3/4p3/4K2B w - - 0 1');
    await known('Recognisers: ');
    await load(page, 'r1bqk1nr/ppppbppp/2n5/1B2p3/4P2P/5N2/PPPP1PPK/RNBQ3R b kq - 3 9');
    await page.waitForSelector('#known', { state: 'hidden' });
  },

  async 'a game is annotated to the end and exported'({ page }) {
    await load(page, PGN);
    await played(page, 33);
    await page.selectOption('#care', '50000');
    await page.click('#annotate');
    await until(page, () => /Accuracy: White \d/.test(document.getElementById('accuracy').textContent));
    await until(page, () => document.querySelectorAll('#graph polyline').length === 1);
    await page.keyboard.press('End');
    await status(page, 'Checkmate');
    await accessible(page, 'analyse');
    for (let step = 0; step < 17; step++) await page.keyboard.press('ArrowLeft');
    await until(page, () => document.querySelectorAll('#pv li').length === 3);
    await shoot(page, 'analyse');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#export')]);
    const pgn = readFileSync(await download.path(), 'utf8');
    assert.match(pgn, /\[White "Morphy"\]/);
    assert.match(pgn, /\[WhiteAccuracy "[\d.]+"\]/);
    assert.match(pgn, /\[%eval /);
    assert.match(pgn, /theatre/);
    assert.match(pgn, /Rd8# 1-0\s*$/);
    await load(page, pgn);
    await played(page, 33);
    assert.match(await page.textContent('#accuracy'), /Accuracy/);
  },

  async 'variations are walked, promoted and deleted'({ page }) {
    await load(page, '1. e4 e5 (1... c5 2. Nf3) 2. Nf3 Nc6');
    assert.equal((await moves(page)).length, 6);
    await page.focus('#moves .variation button >> nth=0');
    await page.keyboard.press('Enter');
    assert.match(await page.evaluate(() => document.activeElement.textContent), /^c5/, 'the focus stays on the move');
    await page.keyboard.press('ArrowRight');
    assert.match(await page.evaluate(() => document.activeElement.textContent), /^Nf3/, 'and goes with the arrow keys');
    await page.keyboard.press('ArrowLeft');
    await page.click('#promote');
    assert.match((await moves(page)).slice(0, 2).join(' '), /^e4.* c5/);
    await page.click('#delete');
    assert.equal((await moves(page)).length, 4);
    await page.click('#moves button >> nth=1');
    await page.fill('#comment', 'a {note}');
    await page.press('#comment', 'Enter');
    assert.match(await page.textContent('#moves'), /a note/);
    // The click that leaves the field finds its move.
    await page.fill('#comment', 'a note');
    await page.click('#moves button >> nth=0');
    assert.match(await page.textContent('#moves button[aria-current]'), /^e4/);
    await page.click('#moves button >> nth=1');
    await page.selectOption('#mark', '5');
    assert.match(await page.textContent('#moves'), /!\?.*a note/);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#export')]);
    assert.match(readFileSync(await download.path(), 'utf8'), /\$5 \{ a note/);
    await page.selectOption('#mark', '');
    assert.doesNotMatch(await page.textContent('#moves'), /!\?/);
  },

  async 'what a mode does behind another one is not drawn over it'({ page }) {
    await load(page, '8/8/8/4k3/8/8/8/KQ6 w - - 0 1');
    await page.click('#mode-play');
    await page.fill('#level', '0');
    await page.click('#new-game button');
    await click(page, 'e2', 'e4');
    await page.click('#mode-analyse');
    await until(page, () => /1\. e4 \w/.test(JSON.parse(sessionStorage.game).pgn));
    // Men that fade away from the other board are none of this one.
    await until(page, () => document.querySelectorAll('cg-board piece:not(.fading)').length === 3);
    assert.match(await page.textContent('#moves'), /No moves yet/);
    await page.click('#mode-play');
    assert.equal((await moves(page)).length, 2);
    await status(page, 'Your move');
    // The other way round, and a simulation that ends elsewhere.
    await load(page, PGN);
    await page.selectOption('#care', '50000');
    await page.click('#annotate');
    await page.click('#mode-watch');
    await page.selectOption('#watch-depth', '4');
    await page.click('#watch-form button');
    await page.click('#mode-play');
    await until(page, () => document.getElementById('progress').hidden);
    assert.equal((await moves(page)).length, 2);
    await status(page, 'Your move');
    await page.click('#mode-watch');
    await status(page, 'times as fast as one');
    // Another position: the pictures of the old one are gone.
    await load(page, '8/8/8/4k3/8/8/8/KQ6 w - - 0 1');
    await page.click('#mode-watch');
    assert.ok(await page.isHidden('#watch-view'));
    await page.goBack();
    assert.equal(await page.getAttribute('#mode-analyse', 'aria-pressed'), 'true');
  },

  async 'an annotation, a reload and a file take nothing away'({ page }) {
    await load(page, `1. e4 { [%clk 0:01:00] [%cal Gd2d4] } e5 ( { before } 1... c5 ) 2. Nf3 Nc6 3. Bb5 a6 *\n\n1. d4 d5 *`);
    await page.selectOption('#care', '50000');
    await page.click('#annotate');
    await page.click('#moves button:has-text("Nf3")');
    await page.fill('#comment', 'my note');
    await page.fill('#move-text', 'd6');
    await page.press('#move-text', 'Enter');
    await until(page, () => /Accuracy: White \d/.test(document.getElementById('accuracy').textContent));
    await page.selectOption('#game-choice', '1');
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    assert.equal(await page.inputValue('#game-choice'), '1');
    assert.match(await page.textContent('#moves'), /d4.*d5/);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#export')]);
    const pgn = readFileSync(await download.path(), 'utf8');
    for (const kept of [/%clk 0:01:00/, /%cal Gd2d4/, /\( \{ before \} 1\.\.\. c5/, /my note/, /2\.\.\. d6/, /%eval/, /1\. d4 d5/]) assert.match(pgn, kept);
    await load(page, '1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id "BK.01";\n8/8/8/4k3/8/8/8/KQ6 w - - 0 1');
    assert.deepEqual(await page.locator('#game-choice option').allTextContents(), ['1 of 2: BK.01', '2 of 2: 8/8/8/4k3/8/8/8/KQ6 w - - 0 1']);
    assert.match(await page.textContent('#moves'), /bm Qd1\+/);
  },

  async 'a file that is dropped on the page is opened'({ page }) {
    const drop = (name, text) => page.evaluate(([name, text]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], name, { type: 'application/x-chess-pgn' }));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }, [name, text]);
    await drop('game.pgn', PGN);
    await played(page, 33);
    assert.equal(await page.getAttribute('body', 'data-mode'), 'analyse');
    await drop('broken.pgn', '1. e4 Ke2');
    await until(page, () => /is not legal/.test(document.getElementById('load-error').textContent));
    assert.ok((await moves(page)).length >= 33, 'what was there stays');
    await drop('position.fen', '8/8/8/4k3/8/8/8/KQ6 w - - 0 1');
    await until(page, () => /queen b1/.test(document.getElementById('position').textContent));
  },

  async 'one of several games of a file is chosen, and keeps its notes'({ page }) {
    await page.click('#mode-analyse');
    const game = (white, moves) => `[White "${white}"]\n[Black "Anderssen"]\n[Result "*"]\n\n${moves} *\n\n`;
    const text = game('Kieseritzky', '1. e4 e5 2. f4 exf4') + game('Dufresne', '1. d4') + game('Broken', '1. Ke4');
    await page.setInputFiles('#load-file', { name: 'three.pgn', mimeType: 'application/x-chess-pgn', buffer: Buffer.from(text) });
    await played(page, 4);
    const options = await page.locator('#game-choice option').allTextContents();
    assert.deepEqual(options.slice(0, 2), ['1 of 3: Kieseritzky – Anderssen, *', '2 of 3: Dufresne – Anderssen, *']);
    await page.click('#moves button >> nth=3');
    await page.fill('#comment', 'accepted');
    await page.press('#comment', 'Enter');
    await page.selectOption('#game-choice', '1');
    await until(page, () => document.querySelectorAll('#moves button').length === 1);
    await page.selectOption('#game-choice', '2');
    await until(page, () => /Ke4 is not legal/.test(document.getElementById('load-error').textContent));
    assert.equal(await page.inputValue('#game-choice'), '1', 'the game that is shown stays');
    await page.selectOption('#game-choice', '0');
    await until(page, () => /accepted/.test(document.getElementById('moves').textContent));
    await accessible(page, 'several games');
    await page.click('#reset');
    assert.ok(await page.isHidden('#games'));
    for (const encoding of ['latin1', 'utf8']) {
      await page.setInputFiles('#load-file', { name: 'old.pgn', mimeType: 'text/plain', buffer: Buffer.from(game(`Müller, ${encoding}`, '1. d4'), encoding) });
      await until(page, name => document.getElementById('player-bottom').textContent === name, `Müller, ${encoding}`);
    }
    await page.setInputFiles('#load-file', { name: 'large.pgn', mimeType: 'text/plain', buffer: Buffer.from(game('Long', `1. e4 {${'x'.repeat(60_000)}}`).repeat(20)) });
    await until(page, () => /Only the first megabyte of large.pgn/.test(document.getElementById('load-error').textContent));
  },

  async 'a draw is agreed where Rookery is not better'({ page }) {
    // No pawn can pass. The king walks over squares that are all different, so nothing is repeated.
    await load(page, '4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1');
    await page.click('#mode-play');
    await page.fill('#level', '20');
    await page.click('#mode-analyse');
    await page.click('#play-here');
    for (const [number, target] of ['d1', 'c1', 'b1', 'a1', 'a2', 'b2', 'c2', 'd2', 'e2', 'f2'].entries()) {
      await page.fill('#move-text', `K${target}`);
      await page.press('#move-text', 'Enter');
      await played(page, 2 * number + 2);
    }
    await status(page, 'Your move');
    await page.click('#draw');
    await status(page, 'Draw by agreement');
    assert.match(await page.textContent('#announcements'), /The game is over\. Draw by agreement/);
    await page.click('#takeback');
    await status(page, 'Your move');
  },

  async 'a player without time loses'({ page }) {
    await page.clock.install();
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    await page.fill('#level', '0');
    await page.selectOption('#time', '1+0');
    await page.click('#new-game button');
    await click(page, 'e2', 'e4');
    await played(page, 2);
    await status(page, 'Your move');
    await page.clock.fastForward(30_000);
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    assert.match(await page.textContent('#player-bottom .clock'), /^0:(30|2\d)/, 'a reload gives no time back');
    await page.clock.fastForward(31_000);
    await status(page, 'Black wins: White has no time left');
    assert.equal(await page.textContent('#player-bottom .clock'), '0:00.0');
  },

  async 'what cannot be read is refused with a reason'({ page }) {
    const before = await page.textContent('#position');
    for (const [text, reason] of [
      ['8/8/8/8/8/8/8/8 w - - 0 1', /The FEN is not a legal position: the board is empty/],
      ['8/8/8/8/8/8/8 w - - 0 1', /eight ranks of eight squares/],
      ['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNX w KQkq - 0 1', /no move|not legal|no game/i],
      ['1. e4 e5 2. Ke3', /Move 2\. Ke3 is not legal/],
      ['[FEN "nonsense"]\n\n1. e4', /The FEN is not a legal position: the first field must have eight ranks/],
      ['8/8/8/4k3/8/8/8/KQ6 white - - 0 1', /the second field must be w or b/],
      ['[Variant "Atomic"]\n\n1. e4', /Rookery does not play Atomic/],
      ['1. e4 e5 2. Sf3 Sc6', /Move 2\. \(to f3\) cannot be read: the men are K, Q, R, B and N/],
      ['1. e4 e5 2. Nf3 (2. Lc4 Lc5) 2... Nc6', /Move 2\. \(to c4\) cannot be read/],
      ['', /no/],
      ['<img src=x onerror=alert(1)>', /no move|not legal|no game/i],
    ]) {
      await load(page, text);
      assert.match(await page.textContent('#load-error'), reason, text);
    }
    assert.equal(await page.textContent('#position'), before);
    await load(page, '[Event "Sf3"]\n\n1. e4 {Sf3 is a ♘} 1...e5 ; Sf3\n2.♘f3 ♞c6 3.O-O? *');
    assert.match(await page.textContent('#load-error'), /Move 3\. O-O is not legal/);
    await load(page, '[Event "Sf3"]\n\n1. e4 {Sf3 is a ♘} 1...e5 ; Sf3\n2.♘f3 ♞c6 (2...d6!?) *');
    assert.deepEqual(await moves(page), ['e4', 'e5', 'Nf3', 'Nc6', 'd6!?']);
    assert.match(await page.textContent('#moves'), /Sf3 is a ♘/);
    await load(page, '1. e4 e5 (1... d5 2. -- dxe4) 2. Nf3 (2. Z0) 2... -- 3. d4 *');
    assert.deepEqual(await moves(page), ['e4', 'e5', 'd5', 'Nf3']);
    assert.match(await page.textContent('#moves'), /A null move and what follows it are left out here/);
    await load(page, 'position fen 8/8/8/4k3/8/8/8/KQ6 w - - 0 1');
    assert.match(await page.textContent('#position'), /queen b1/);
    await load(page, 'rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 1');
    for (const [typed, san] of [['exd6 e.p.', 'exd6'], ['B C 8-f5', ''], ['C8-F5', 'Bf5'], ['NF3!?', 'Nf3'], ['E6', 'e6'], ['Bb5+!', 'Bb5+'], ['c6', 'c6'], ['o-o', 'O-O']]) {
      const before = (await moves(page)).length;
      await page.fill('#move-text', typed);
      await page.press('#move-text', 'Enter');
      assert.deepEqual((await moves(page)).slice(before).map(one => one.split(' ')[0]), san ? [san] : [], typed);
    }
    await load(page, '1. e4 {<b>bold</b>} e5');
    assert.match(await page.textContent('#moves'), /<b>bold<\/b>/);
  },

  async 'a simulated search of 256 processors is watched forwards and backwards'({ page }) {
    await page.click('#mode-watch');
    await page.selectOption('#watch-processors', '256');
    await page.selectOption('#watch-depth', '5');
    await page.selectOption('#watch-other', 'tds');
    await page.click('#watch-form button');
    await status(page, 'ybw: 256 processors are .* tds: 256');
    const words = () => page.textContent('#watch-words-0');
    const first = await words();
    assert.match(first, /\d+ search, \d+ send/);
    await page.fill('#watch-time', '398');
    for (let step = 0; step < 2; step++) await page.click('#watch-forward');
    assert.equal(await page.inputValue('#watch-time'), '400');
    const later = await words();
    assert.notEqual(later, first);
    const numbers = later.match(/\d+(?= (search|send|wait|idle))/g).map(Number);
    assert.equal(numbers.reduce((sum, number) => sum + number), 256, later);
    await shoot(page, 'watch');
    await page.click('#watch-back');
    await page.click('#watch-forward');
    assert.equal(await words(), later);
    await page.fill('#watch-time', '0');
    assert.equal(await words(), first);
    await accessible(page, 'watch');
  },

  async 'real threads are watched while they search, forwards and backwards'({ page }) {
    await load(page, 'r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R b KQkq - 0 5');
    await page.click('#mode-watch');
    for (const list of ['#watch-machine', '#watch-strategy']) {
      const names = await page.locator(`${list} option`).allTextContents();
      assert.equal(new Set(names).size, names.length, `${names}`);
    }
    await page.selectOption('#watch-machine', 'threads');
    await page.selectOption('#watch-processors', '4');
    await page.selectOption('#watch-depth', shots ? '14' : '12');
    await page.selectOption('#watch-other', 'lazy');
    await page.evaluate(() => {
      window.said = [];
      const note = records => { for (const { addedNodes: [node] } of records) window.said.push(node?.data); };
      new MutationObserver(note).observe(document.getElementById('status'), { childList: true });
    });
    await page.click('#watch-form button');
    await status(page, 'ybw: 4 threads are .* lazy: 4 threads are');
    const said = await page.evaluate(() => window.said);
    for (const words of ['ybw: one thread alone first, to compare with…', 'ybw: 4 threads search…', 'lazy: 4 threads search…']) {
      assert.ok(said.includes(words), `${words} is shown meanwhile: ${said}`);
    }
    assert.equal(await page.locator('#watch-runs article').count(), 2);
    assert.match(await page.textContent('#watch-figures-0'), /^[\d.]+ m?s, .* nodes\. Speedup [\d.]+ = 4 threads × load .* × speed of a thread .* overhead/);
    const words = () => page.textContent('#watch-words-0');
    const sum = async () => (await words()).match(/\d+(?= (search|send|wait|alone|idle))/g).map(Number).reduce((all, number) => all + number);
    const last = await page.getAttribute('#watch-time', 'max');
    assert.equal(await page.inputValue('#watch-time'), last, 'the view has followed the search to its end');
    const end = await words();
    assert.equal(await sum(), 4, end);
    for (let step = 0; step < 3; step++) await page.click('#watch-back');
    assert.equal(await page.inputValue('#watch-time'), `${Number(last) - 3}`);
    assert.equal(await sum(), 4);
    for (let step = 0; step < 3; step++) await page.click('#watch-forward');
    assert.equal(await words(), end);
    await page.fill('#watch-time', `${Math.floor(Number(last) / 2)}`);
    assert.equal(await sum(), 4);
    await shoot(page, 'threads');
    await accessible(page, 'threads');
    // Back to a simulated machine: its own sizes are offered.
    await page.selectOption('#watch-machine', 't805');
    assert.equal(await page.inputValue('#watch-processors'), '64');
  },

  async 'three tours explain a search in ten steps each, by keyboard'({ page }) {
    await page.click('#mode-watch');
    for (const [id, words] of [['ybw', /brothers/], ['teams', /captain/], ['tds', /remainder/]]) {
      await page.focus(`#tour-${id}`);
      await page.keyboard.press('Enter');
      const said = new Set();
      for (let step = 1; step <= 10; step++) {
        await until(page, number => new RegExp(`, ${number} of 10: `).test(document.getElementById('tour-title').textContent), step);
        const text = await page.textContent('#tour-text');
        assert.match(text, /\.$/);
        assert.doesNotMatch(text, /undefined|NaN|Infinity/);
        said.add(text);
        if (step === 3) await shoot(page, `tour-${id}`);
        if (step < 10) await page.keyboard.press('Enter');
      }
      assert.equal(said.size, 10);
      assert.match([...said].join(' '), words);
      assert.ok(await page.isDisabled('#tour-next'));
      assert.equal(await page.locator('#watch-runs article').count(), id === 'ybw' ? 1 : 2);
      await accessible(page, `tour ${id}`);
      if (id === 'tds') await shoot(page, 'tour-end');
      await page.click('#tour-back');
      await until(page, () => /9 of 10/.test(document.getElementById('tour-title').textContent));
      assert.equal(await page.locator('#watch-runs article').count(), 1);
      await page.click('#tour-end');
      assert.ok(await page.isHidden('#tour'));
    }
  },

  async 'an address leads to a report, and the way back from it'({ browser, server }) {
    const page = await open(browser, `${server.address}#reports/ybw.md`);
    await until(page, () => /Young brothers wait/.test(document.querySelector('#report h2')?.textContent));
    await page.focus('#report');
    await page.keyboard.press('End');
    await until(page, () => scrollY > 500);
    await page.selectOption('#report-choice', 'tds.md');
    await until(page, () => location.hash === '#reports/tds.md');
    await page.click('#mode-play');
    await page.goBack();
    await until(page, () => document.body.dataset.mode === 'reports' && location.hash === '#reports/tds.md');
    await page.goBack();
    await until(page, () => document.getElementById('report-choice').value === 'ybw.md');
    assert.deepEqual(page.faults, []);
    await page.close();
  },

  async 'the reports are read, followed and sorted'({ page }) {
    await page.click('#mode-reports');
    await until(page, () => /Lab reports/.test(document.getElementById('report').textContent));
    assert.equal(await page.locator('#report-choice option').count(), await page.locator('#report table >> nth=0 >> tbody tr').count() + 1);
    await accessible(page, 'reports');
    await page.click('#report a:has-text("comparison.md")');
    await until(page, () => document.querySelector('#report img')?.naturalWidth > 0);
    await shoot(page, 'reports');
    await page.selectOption('#report-choice', 'ybw.md');
    await until(page, () => /Zugzwang/.test(document.getElementById('report').textContent));
    const column = () => page.locator('#report table >> nth=0 >> tbody tr td:first-child').allTextContents();
    const before = await column();
    await page.click('#report table >> nth=0 >> th button >> nth=0');
    await page.click('#report table >> nth=0 >> th button >> nth=0');
    const after = await column();
    assert.deepEqual([...after].sort(), [...before].sort());
    for (const name of await page.locator('#report-choice option').evaluateAll(options => options.map(option => option.value))) {
      await page.selectOption('#report-choice', name);
      await until(page, wanted => document.getElementById('report-choice').value === wanted && document.querySelectorAll('#report h2').length === 1, name);
      assert.doesNotMatch(await page.textContent('#report'), /\]\(|\*\*|^\|/m, `${name} is rendered`);
    }
    await accessible(page, 'a report');
  },

  async 'a server that dies and comes back does not end a game'({ page, server }) {
    await page.fill('#level', '2');
    await page.click('#new-game button');
    await stop(server);
    await click(page, 'e2', 'e4');
    await page.waitForSelector('#connection:not([hidden])');
    Object.assign(server, await serve(server.port));
    await played(page, 2);
    await page.waitForSelector('#connection', { state: 'hidden' });
    await status(page, 'Your move');
  },

  async 'on a phone nothing is cut off, and fingers play'({ browser, server }) {
    const page = await open(browser, server.address,
      { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, colorScheme: 'dark' });
    await page.fill('#level', '1');
    await page.click('#new-game button');
    for (const name of ['e2', 'e4']) {
      const { x, y } = await square(page, name);
      await page.touchscreen.tap(x, y);
    }
    await played(page, 2);
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(await wide() <= 360, 'the page is not wider than the screen');
    await shoot(page, 'phone-dark');
    assert.equal(await page.getByRole('button', { name: 'Read the board' }).count(), 1, 'screen readers come to it');
    await accessible(page, 'phone, dark');
    await page.click('#study');
    await until(page, () => document.querySelectorAll('#pv li').length === 3);
    assert.ok(await wide() <= 360, 'nor is the analysis');
    await accessible(page, 'phone, dark, analysis');
    await load(page, '8/8/8/4k3/8/8/8/KQ6 w - - 0 1');
    await until(page, () => document.querySelectorAll('#known button').length > 5);
    assert.ok(await wide() <= 360, 'nor is what tables know');
    await page.click('#mode-reports');
    await until(page, () => document.querySelectorAll('#report tr').length > 5);
    assert.ok(await wide() <= 360, 'nor are the reports');
    await accessible(page, 'phone, dark, reports');
    await page.click('#mode-watch');
    await page.click('#tour-ybw');
    await page.waitForSelector('#tour:not([hidden])');
    assert.ok(await wide() <= 360, 'nor are the tours');
    await accessible(page, 'phone, dark, tour');
    await page.click('#mode-analyse');
    await shoot(page, 'phone-analyse-dark');
    // Lying on its side.
    await page.setViewportSize({ width: 740, height: 360 });
    for (const mode of ['play', 'analyse', 'watch']) {
      await page.click(`#mode-${mode}`);
      await page.evaluate(() => scrollTo(0, 0));
      const board = await page.locator('#board').boundingBox();
      assert.ok(board.y + board.height <= 360 && board.width >= 200, `${mode}: the whole board is seen: ${JSON.stringify(board)}`);
      assert.ok(await wide() <= 740, `${mode}: not wider than the screen`);
    }
    assert.deepEqual(page.faults, []);
    await page.close();
  },
};

const profile = mkdtempSync(join(tmpdir(), 'rookery-browser-'));
const server = await serve(0);
const browser = await chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, `--disk-cache-dir=${profile}`] });
let failed = 0, passed = 0;
for (const [name, test] of Object.entries(TESTS)) {
  if (process.env.ONLY && !name.includes(process.env.ONLY)) continue;
  const page = await open(browser, server.address);
  try {
    await test({ page, browser, server });
    assert.deepEqual(page.faults, [], 'the page says nothing is wrong');
    console.log(`ok      ${name}`);
    passed++;
  } catch (error) {
    console.log(`FAILED  ${name}\n${error.stack}`);
    await shoot(page, `failed-${failed}`);
    failed++;
  }
  await page.close();
}
await browser.close();
await stop(server);
rmSync(profile, { recursive: true, force: true });
console.log(`browser: ${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
