// Damaged requests, many at a time: `node test/fuzz.mjs PROGRAM REQUESTS`. The server must answer each of them
// with a status, and still serve its page at the end. The same requests in every run.
import { spawn } from 'node:child_process';
import http from 'node:http';

const [program, requests] = [process.argv[2], Number(process.argv[3])];
const AT_A_TIME = 12;
const BODIES = [
  ['/api/search', '{"place":{"moves":["e2e4"]},"purpose":"play","depth":2,"level":20,"game":"a","lines":2}'],
  ['/api/search', '{"place":{"fen":"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"},"purpose":"analyse","nodes":500,"timeMs":5}'],
  ['/api/search', '{"place":{},"purpose":"play","clock":{"remainingMs":100,"incrementMs":0},"level":1}'],
  ['/api/evaluate', '{"moves":["e2e4","e7e5"]}'],
  ['/api/annotate', '{"pgn":"1. e4 e5 2. Nf3 (2. f4) Nc6 {x} $4 1-0","nodes":1000}'],
  ['/api/simulate', '{"place":{},"strategy":"ybw","machine":"ideal","processors":4,"depth":2}'],
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

const child = spawn(program, ['serve', '--port', '0', '--hash', '4', '--most-seconds', '1'], { stdio: ['ignore', 'pipe', 'inherit'] });
const address = await new Promise(resolve => child.stdout.on('data', data => resolve(/http:\S+/.exec(`${data}`)[0])));
const { hostname, port } = new URL(address);
const agent = new http.Agent({ keepAlive: true, maxSockets: AT_A_TIME });
const answers = new Map();

function ask() {
  // Searches are quick; the others wait for each other and come seldom.
  const [path, text] = BODIES[below(20) ? below(4) : below(BODIES.length)];
  const body = damaged(text);
  const name = Array.from({ length: below(20) }, () => String.fromCharCode(33 + below(90))).join('');
  const request = {
    hostname, port, agent,
    path: below(30) ? path : `/${encodeURIComponent(name)}`,
    method: below(20) ? 'POST' : METHODS[below(METHODS.length)],
    headers: { 'content-type': 'application/json', 'content-length': body.length },
  };
  const leaves = !below(50);
  return new Promise(resolve => {
    const note = answer => answers.set(answer, (answers.get(answer) ?? 0) + 1);
    const sent = http.request(request, response => {
      note(response.statusCode);
      response.on('close', resolve).resume();
      if (leaves) response.destroy();
    });
    sent.on('error', error => { note(error.code); resolve(); });
    sent.end(body);
  });
}

let begun = 0;
await Promise.all(Array.from({ length: AT_A_TIME }, async () => {
  while (child.exitCode === null && begun++ < requests) await ask();
}));
const page = await fetch(address).then(response => response.status).catch(() => 'none');
child.kill();
console.log(`fuzz: answers ${JSON.stringify(Object.fromEntries(answers))}, the page at the end: ${page}`);
const known = [...answers.keys()].every(answer => [200, 400, 404, 405].includes(answer));
process.exit(page === 200 && known ? 0 : 1);
