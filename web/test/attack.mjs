// Attacks on the server: `node test/attack.mjs PROGRAM REQUESTS`. Each line of the table that it prints says what was
// tried, how often, and how often something else came of it than must. The same requests in every run.
import { spawn } from 'node:child_process';
import http from 'node:http';
import net from 'node:net';

const [program, requests] = [process.argv[2], Number(process.argv[3])];
const AT_A_TIME = 12;
const CROWD = 100;
const GAME_PLIES = 40;
/** More connections than the server has places. */
const SILENT = 600;
const JSON_TYPE = { 'content-type': 'application/json' };
// Those before the mark are quick; the others wait for each other and come seldom.
const QUICK = 5;
const BODIES = [
  ['/api/search', '{"place":{"moves":["e2e4"]},"purpose":"play","depth":2,"level":20,"game":"a","lines":2}'],
  ['/api/search', '{"place":{"fen":"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"},"purpose":"analyse","nodes":500,"timeMs":5}'],
  ['/api/search', '{"place":{},"purpose":"play","clock":{"remainingMs":100,"incrementMs":0},"level":1}'],
  ['/api/evaluate', '{"moves":["e2e4","e7e5"]}'],
  ['/api/known', '{"fen":"8/8/8/4k3/8/8/8/KQ6 w - - 0 1","moves":["b1b5"]}'],
  ['/api/annotate', '{"pgn":"1. e4 e5 2. Nf3 (2. f4) Nc6 {x} $4 1-0","nodes":1000}'],
  ['/api/simulate', '{"place":{},"strategy":"ybw","machine":"ideal","processors":4,"depth":2}'],
  ['/api/threads', '{"place":{},"strategy":"lazy","threads":2,"depth":2}'],
];
const SIGNS = '0123456789[]{}",-';
const METHODS = ['GET', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'];

let state = 12345;
const below = limit => {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % limit;
};

function damaged(text) {
  let bytes = Buffer.from(text);
  for (let times = 1 + below(4); times > 0; times--) {
    const at = below(bytes.length);
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
    switch (below(4)) {
      case 0: bytes[at] = below(256); break;
      case 1: bytes[at] = SIGNS.charCodeAt(below(SIGNS.length)); break;
      case 2: bytes = Buffer.concat([before, after.subarray(below(6))]); break;
      default: bytes = Buffer.concat([before, bytes.subarray(0, below(bytes.length)), after]);
    }
    if (!bytes.length) bytes = Buffer.from('x');
  }
  return bytes;
}

const files = ['--syzygy', '../testdata/syzygy', '--book', '../testdata/polyglot/rodent_micro.bin'];
const child = spawn(program, ['serve', '--port', '0', '--hash', '4', '--most-seconds', '1', ...files], { stdio: ['ignore', 'pipe', 'inherit'] });
const address = await new Promise(resolve => child.stdout.on('data', data => resolve(/http:\S+/.exec(`${data}`)[0])));
const { hostname, port, host } = new URL(address);
const agent = new http.Agent({ keepAlive: true, maxSockets: AT_A_TIME });

/** The status of an answer and its text; the name of the error where there is none. */
function ask(path, { method = 'POST', headers = {}, body = '', leaves = false, own = agent } = {}) {
  return new Promise(resolve => {
    const sent = http.request({ hostname, port, path, method, headers, agent: own }, response => {
      const parts = [];
      response.on('data', part => parts.push(part));
      response.on('close', () => resolve({ status: response.statusCode, text: `${Buffer.concat(parts)}` }));
      if (leaves) response.destroy();
    });
    sent.on('error', error => resolve({ status: error.code, text: '' }));
    sent.end(body);
  });
}

/** Bytes sent as they are; what came back until the server hung up. */
function raw(bytes) {
  return new Promise(resolve => {
    const socket = net.connect(Number(port), hostname);
    let text = '';
    socket.on('data', data => { text += data; });
    socket.on('error', () => {});
    socket.on('close', () => resolve({ status: Number(text.split(' ')[1]) || 'closed', text }));
    socket.write(bytes);
  });
}

// A server that refuses may hang up before it has read everything.
process.on('uncaughtException', error => { if (!['EPIPE', 'ECONNRESET'].includes(error.code)) throw error; });

const table = [];
/** Tries all; what is not as it must be is counted, and the first of it is shown. */
async function attack(name, must, tries) {
  let [failures, first] = [0, ''];
  for (const [what, wanted] of tries) {
    const { status, text } = await what();
    if (wanted.includes(status) && !/root:|\[workspace\]/.test(text)) continue;
    failures++;
    first ||= `${status} ${text.slice(0, 200)}`;
  }
  table.push([name, must, tries.length, failures]);
  if (failures) console.log(`FOUND ${name}: ${first}`);
}

async function fuzz() {
  const answers = new Map();
  let begun = 0;
  const one = () => {
    const [path, text] = BODIES[below(20) ? below(QUICK) : below(BODIES.length)];
    const body = damaged(text);
    const name = Array.from({ length: below(20) }, () => String.fromCharCode(33 + below(90))).join('');
    const method = below(20) ? 'POST' : METHODS[below(METHODS.length)];
    return ask(below(30) ? path : `/${encodeURIComponent(name)}`, {
      method, body, headers: { ...JSON_TYPE, 'content-length': body.length }, leaves: !below(50),
    });
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, async () => {
    while (child.exitCode === null && begun++ < requests) {
      const { status } = await one();
      answers.set(status, (answers.get(status) ?? 0) + 1);
    }
  }));
  const all = [...answers.values()].reduce((sum, number) => sum + number, 0);
  const known = [200, 400, 404, 405].reduce((sum, status) => sum + (answers.get(status) ?? 0), 0);
  console.log(`answers to damaged requests: ${JSON.stringify(Object.fromEntries(answers))}`);
  table.push(['damaged requests', 'a status for each: 200, 400, 404, 405', all, all - known + Math.max(0, requests - all)]);
}

const SEARCH = JSON.stringify({ place: {}, purpose: 'play', depth: 2 });
const post = (headers, wanted, path = '/api/search', body = SEARCH) => [() => ask(path, { headers, body }), wanted];

async function strangers() {
  const hosts = ['evil.example', `evil.example:${port}`, `${hostname}.evil.example:${port}`, `${hostname}@evil.example`, '[::1', '', ' ', 'localhost.evil.example'];
  const lines = [...hosts.map(name => ['/', `Host: ${name}\r\n`]), ['/', ''], ['http://evil.example/', `Host: ${host}\r\n`], ['/', `Host: ${host}\r\nHost: evil.example\r\n`]];
  await attack('foreign `Host`', '421 or 400', lines.flatMap(([path, line]) => [
    [() => raw(`GET ${path} HTTP/1.1\r\n${line}Connection: close\r\n\r\n`), [421, 400]],
    [() => raw(`POST ${path}api/search HTTP/1.1\r\n${line}Connection: close\r\nContent-Type: application/json\r\nContent-Length: ${SEARCH.length}\r\n\r\n${SEARCH}`), [421, 400]]]));
  const sites = [{ origin: 'http://evil.example' }, { origin: 'null' }, { origin: `http://${host}.evil.example` },
    { origin: 'http://127.0.0.1:1' }, { 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }];
  await attack('other sites', '403', sites.flatMap(site => BODIES.map(([path, body]) => post({ ...JSON_TYPE, ...site }, [403], path, body))));
  const forms = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain; application/json', ''];
  await attack('forms', '415', forms.flatMap(type => BODIES.map(([path, body]) => post({ 'content-type': type }, [415], path, body))));
}

async function paths() {
  const ups = ['../', '..%2f', '%2e%2e/', '%2e%2e%2f', '..\\', '..%5c', '%252e%252e%252f', '....//', '..;/', '.%00./'];
  const targets = ['etc/passwd', 'Cargo.toml', 'proc/self/environ'];
  const names = ['', 'lab/', 'api/', 'app.js/'].flatMap(folder => ups.flatMap(up => targets.map(target => `/${folder}${up.repeat(8)}${target}`)));
  names.push('//etc/passwd', '/file:///etc/passwd', '/lab//etc/passwd', '/C:/Windows/win.ini', '/app.js%00.html');
  await attack('paths of files', '400 or 404, and no file', names.map(name =>
    [() => raw(`GET ${name} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`), [400, 404]]));
}

async function sizes() {
  const head = `POST /api/annotate HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Type: application/json\r\n`;
  const body = length => JSON.stringify({ pgn: 'e4 '.repeat(length / 3), nodes: 1 });
  await attack('too large', '413, 431, 400, or hung up', [
    ...[2 ** 20, 2 ** 22, 2 ** 24].map(length => post(JSON_TYPE, [413, 'EPIPE', 'ECONNRESET'], '/api/annotate', body(length))),
    [() => raw(`${head}Content-Length: 99999999999999999999\r\n\r\n{}`), [400, 413, 'closed']],
    [() => raw(`${head}Content-Length: -1\r\n\r\n{}`), [400, 'closed']],
    [() => raw(`${head}Transfer-Encoding: chunked\r\n\r\n${`10000\r\n${'x'.repeat(65536)}\r\n`.repeat(20)}0\r\n\r\n`), [413, 400, 'closed']],
    [() => raw(`${head}Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n`), [400, 'closed']],
    [() => raw(`${head}X: ${'x'.repeat(2 ** 20)}\r\n\r\n`), [431, 400, 'closed']],
    [() => raw(`${head}${'X: x\r\n'.repeat(5000)}\r\n`), [431, 400, 'closed']],
    [() => raw(`GET /${'x'.repeat(2 ** 20)} HTTP/1.1\r\nHost: ${host}\r\n\r\n`), [414, 431, 400, 'closed']],
    post(JSON_TYPE, [400], '/api/search', JSON.stringify({ place: { moves: Array(20_000).fill('e2e4') }, purpose: 'play' })),
    post(JSON_TYPE, [400], '/api/search', '['.repeat(500_000)),
  ]);
}

/** A game from the first move on, with all that is under way at the same time. */
async function game(name) {
  const moves = [];
  let slowest = 0;
  await attack(name, 'every move of a game is answered', Array.from({ length: GAME_PLIES }, () => [async () => {
    const begun = performance.now();
    const body = JSON.stringify({ place: { moves }, purpose: 'play', game: 'one', timeMs: 50 });
    const { status, text } = await ask('/api/search', { headers: JSON_TYPE, body, own: new http.Agent() });
    slowest = Math.max(slowest, performance.now() - begun);
    const best = /"kind":"best","move":"(\w+)"|"move":"(\w+)","reply"/.exec(text);
    if (best) moves.push(best[1] ?? best[2]);
    return { status: best ? status : 'no move', text };
  }, [200]]));
  table.at(-1)[1] += ` (slowest ${Math.round(slowest)} ms)`;
}

async function crowd() {
  const own = new http.Agent({ maxSockets: Infinity });
  let over = false;
  const body = JSON.stringify({ place: {}, purpose: 'analyse', lines: 3, timeMs: 60_000 });
  const clients = Array.from({ length: CROWD }, async () => { while (!over) await ask('/api/search', { headers: JSON_TYPE, body, own }); });
  await game(`${CROWD} clients that analyse`);
  over = true;
  await Promise.all(clients);
  const silent = Array.from({ length: SILENT }, (_, index) => {
    const socket = net.connect(Number(port), hostname);
    socket.on('error', () => {});
    if (index % 2) socket.write(`POST /api/search HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 5\r\n`);
    return socket;
  });
  await game(`${SILENT} connections that say nothing`);
  silent.forEach(socket => socket.destroy());
}

for (const part of [fuzz, strangers, paths, sizes, crowd]) if (child.exitCode === null) await part();
await attack('the page at the end', '200', [[() => ask('/', { method: 'GET', own: new http.Agent() }), [200]]]);
child.kill();
console.log('| attack | what must come of it | times | failures |\n| --- | --- | ---: | ---: |');
for (const row of table) console.log(`| ${row.map(cell => typeof cell === 'number' ? cell.toLocaleString('en') : cell).join(' | ')} |`);
process.exit(table.every(([, , , failures]) => failures === 0) ? 0 : 1);
