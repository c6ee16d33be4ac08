// A parallel search to be watched, simulated or by real threads while it goes on: who searches, waits and helps whom, at any moment.
import * as api from './api';
import type { Board } from './board';
import { byId, element, isOpen, onClick, showStatus } from './dom';
import { count } from './score';
import { say } from './speech';
import { PLACE, TOURS, type Tour } from './tours';
import { Tree } from './tree';
import { drawTree } from './twigs';

/** Searching, messages, table, waiting, alone, idle: told apart by lightness too. */
const COLORS = ['#2f8f5b', '#e0952c', '#8a63c9', '#c7463d', '#a9c4dc', '#c9c5bb'];
const LEGEND = ['searches', 'messages', 'waits for the table', 'waits for helpers', 'searches the root alone', 'no work'];
/** What only real threads do. */
const ALONE = 4;
const USUAL = { strategy: 'ybw', other: '', machine: 't805' };
/** The machine that is none: the threads of this computer. */
const THREADS = 'threads';
const SIZES = { simulated: ['2', '4', '8', '16', '32', '64', '128', '256', '512', '1024'], threads: ['2', '4', '8', '16', '32', '64'] };
const DEPTHS = { simulated: ['3', '4', '5', '6', '7', '8'], threads: ['8', '10', '12', '14', '16', '18', '20', '22'] };
const USUAL_SIZE = { simulated: ['64', '6'], threads: ['4', '14'] };
/** What the short names stand for. */
const NAMES: Record<string, string> = {
  ybw: 'young brothers wait', lazy: 'one table, each for itself', abdada: 'what others search comes later',
  tds: 'work goes to its table', teams: 'teams that divide and join',
  t805: "Zugzwang's transputers", m604: "Zugzwang's PowerPCs", ncube: "Felten and Otto's hypercube", das2: "DarkSight's cluster",
  infiniband: "today's cluster", ethernet: "today's Ethernet", wan: 'clusters far apart', ideal: 'messages cost nothing',
};
const PLAY_MS = 40;

const seconds = (value: number) =>
  value >= 1 ? `${value.toFixed(2)} s` : value >= 1e-3 ? `${(value * 1e3).toFixed(2)} ms` : `${(value * 1e6).toFixed(1)} µs`;

export class Watch {
  tree!: Tree;
  private runs: api.Course[] = [];
  private column = 0;
  /** The position that was searched, and what was said of it. */
  private searched = '';
  private said = '';
  private simulation?: AbortController;
  private timer = 0;
  private tour?: { tour: Tour; step: number };

  constructor(private board: Board, private info: api.Info) {
    const fill = (id: string, values: string[], chosen: string) => {
      const name = (value: string) => value === THREADS ? 'this computer' : NAMES[value] ? `${value}: ${NAMES[value]}` : value || 'none';
      byId<HTMLSelectElement>(id).append(...values.map(value => new Option(name(value), value, false, value === chosen)));
    };
    fill('watch-strategy', info.strategies, USUAL.strategy);
    fill('watch-other', ['', ...info.strategies], USUAL.other);
    fill('watch-machine', [THREADS, ...info.machines.filter(name => name !== THREADS)], USUAL.machine);
    byId('watch-machine').addEventListener('change', () => this.fit());
    this.fit();
    byId('watch-form').addEventListener('submit', event => { event.preventDefault(); this.endTour(); void this.run(); });
    byId('watch-time').addEventListener('input', () => this.go(Number(byId<HTMLInputElement>('watch-time').value)));
    onClick('watch-back', () => this.go(this.column - 1));
    onClick('watch-forward', () => this.go(this.column + 1));
    onClick('watch-play', () => this.toggle());
    byId('tours').append(...TOURS.map(tour => element('button', { id: `tour-${tour.id}`, onclick: () => void this.take(tour, 0) }, tour.name)));
    onClick('tour-back', () => void this.take(this.tour!.tour, this.tour!.step - 1));
    onClick('tour-next', () => void this.take(this.tour!.tour, this.tour!.step + 1));
    onClick('tour-end', () => { this.endTour(); byId('tours').querySelector('button')!.focus(); });
    new ResizeObserver(() => this.draw()).observe(byId('watch-runs'));
  }

  /** Offers what the chosen machine can do. */
  private fit() {
    const kind = byId<HTMLSelectElement>('watch-machine').value === THREADS ? 'threads' : 'simulated';
    const most = kind === 'threads' ? Math.max(8, 2 * this.info.cores) : Infinity;
    const offer = (id: string, values: string[], usual: string) => {
      const list = byId<HTMLSelectElement>(id);
      const chosen = values.includes(list.value) && list.dataset.kind === kind ? list.value : usual;
      list.dataset.kind = kind;
      list.replaceChildren(...values.map(value => new Option(value, value, false, value === chosen)));
    };
    const [size, depth] = USUAL_SIZE[kind];
    offer('watch-processors', SIZES[kind].filter(value => Number(value) <= most), size);
    offer('watch-depth', DEPTHS[kind], depth);
  }

  play(): boolean { return false; }
  walk() {}
  leave() { this.stop(); }

  show() {
    if (!isOpen('watch')) return;
    const tree = this.tour ? Tree.fromFen(PLACE.fen) : this.tree;
    this.board.show({ position: tree.position, lastMove: tree.current.move });
    for (const id of ['player-top', 'player-bottom']) byId(id).children[0].textContent = '';
    if (this.searched !== tree.fen) this.forget();
    byId('status').textContent = this.said || 'The position on the board is searched by a simulated machine of many processors, or by threads of this computer.';
    this.draw();
  }

  /** Another position is on the board: pictures of the old one would lie. */
  private forget() {
    this.simulation?.abort();
    [this.runs, this.searched, this.said] = [[], '', ''];
    byId('watch-view').hidden = true;
  }

  /** Says it, and again when the reader comes back from another mode. */
  private keepStatus(words: string) {
    this.said = words;
    showStatus('watch', words);
  }

  private endTour() {
    this.tour = undefined;
    byId('tour').hidden = true;
    this.show();
  }

  /** Goes to a step of a tour: simulates what it shows, unless that is there already, and says it. */
  private async take(tour: Tour, number: number) {
    const isNew = this.tour?.tour !== tour;
    const taken = this.tour = { tour, step: number };
    this.simulation?.abort();
    const step = tour.steps[number];
    const set = (id: string, value: string) => { byId<HTMLSelectElement>(id).value = value; };
    const beside = byId<HTMLSelectElement>('watch-other').value;
    set('watch-strategy', tour.strategy);
    set('watch-other', step.beside ?? '');
    set('watch-machine', tour.machine);
    this.fit();
    set('watch-processors', `${tour.processors}`);
    set('watch-depth', `${tour.depth}`);
    if (isNew) this.show();
    if (isNew || (step.beside && !beside)) {
      if (!await this.run() || this.tour !== taken) return;
    } else if (beside && !step.beside) this.present([this.runs[0]]);
    const [run, other] = this.runs as api.Simulation[];
    byId('tour').hidden = false;
    byId('tour-title').textContent = `${tour.name}, ${number + 1} of ${tour.steps.length}: ${step.title}`;
    byId('tour-text').textContent = step.text(run, other);
    byId('tour-picture').replaceChildren(...step.tree ? [drawTree(step.tree, step.caption ?? '')] : []);
    byId<HTMLButtonElement>('tour-back').disabled = number === 0;
    byId<HTMLButtonElement>('tour-next').disabled = number === tour.steps.length - 1;
    if (isNew) byId('tour-next').focus();
    else if (number === tour.steps.length - 1) byId('tour-end').focus();
    this.stop();
    if (step.at) this.go(step.at(run));
  }

  /** Searches as is chosen; whether it came to an end. */
  private async run(): Promise<boolean> {
    this.stop();
    this.simulation?.abort();
    const simulation = this.simulation = new AbortController();
    const value = (id: string) => byId<HTMLSelectElement>(id).value;
    const strategies = [value('watch-strategy'), value('watch-other')].filter(Boolean);
    if (!this.tour && this.tree.position.isEnd()) {
      this.keepStatus('The game is over in this position: there is nothing to search.');
      return false;
    }
    const place = this.tour ? PLACE : { fen: this.tree.startFen, moves: this.tree.moves() };
    const [machine, size, depth] = [value('watch-machine'), Number(value('watch-processors')), Number(value('watch-depth'))];
    this.searched = this.tour ? Tree.fromFen(PLACE.fen).fen : this.tree.fen;
    this.keepStatus(machine === THREADS ? 'Searching…' : 'Simulating…');
    const runs: api.Course[] = [];
    if (machine === THREADS) this.runs = [];
    try {
      for (const [index, strategy] of strategies.entries()) {
        const tell = (event: api.Event) => {
          if (event.kind === 'alone') this.keepStatus(`${strategy}: one thread alone first, to compare with…`);
          if (event.kind !== 'running' && event.kind !== 'simulation') return;
          runs[index] = event;
          if (!event.real) return;
          if (event.kind === 'running') this.keepStatus(`${strategy}: ${size} threads search…`);
          this.follow(runs);
        };
        if (machine === THREADS) await api.threads({ place, strategy, threads: size, depth }, simulation.signal, tell);
        else await api.simulate({ place, strategy, machine, processors: size, depth }, simulation.signal, tell);
      }
    } catch (error) {
      if (!simulation.signal.aborted) this.keepStatus((error as Error).message);
      return false;
    }
    if (machine !== THREADS) this.present(runs);
    const words = runs.map(run => {
      const name = run.real ? 'threads' : 'processors';
      return run.speedup === undefined ? `${run.strategy}: ${run.processors} ${name} were given up, it took too long.`
        : `${run.strategy}: ${run.processors} ${name} are ${run.speedup.toFixed(run.real ? 2 : 1)} times as fast as one.`;
    }).join(' ');
    this.keepStatus(words);
    // A tour tells in its own words.
    if (!this.tour) say(words);
    return true;
  }

  private present(runs: api.Course[]) {
    this.runs = [...runs];
    byId('watch-view').hidden = false;
    byId('watch-legend').replaceChildren(...LEGEND.flatMap((name, index) => {
      if (index === ALONE && !runs[0].real) return [];
      const swatch = element('i');
      swatch.style.background = COLORS[index];
      return [element('span', {}, swatch, name)];
    }));
    byId('watch-time').ariaLabel = runs[0].real ? 'Time' : 'Virtual time';
    byId('watch-runs').replaceChildren(...runs.map((run, index) => this.runElement(run, index)));
    this.go(0);
  }

  /** Shows a search that goes on, at its last moment unless the reader has gone to another. */
  private follow(runs: api.Course[]) {
    const before = this.runs[0];
    const isNew = runs.length !== this.runs.length;
    const atEnd = isNew || this.column >= before.columns - 1;
    if (isNew) this.present(runs);
    this.runs = [...runs];
    this.go(atEnd ? runs[0].columns - 1 : Math.floor((this.column + 0.5) * before.seconds / runs[0].seconds * runs[0].columns / before.columns));
  }

  private figures(run: api.Course): string {
    const percent = (part: number) => `${(part * 100).toFixed(1)} %`;
    const { speedup, overhead, rate } = run;
    const time = `${seconds(run.seconds)}${run.real ? '' : ' of virtual time'}, ${count(run.nodes)} nodes. `;
    const parts = `load ${percent(run.load)} × performance ${percent(run.performance)}`;
    if (speedup === undefined) return `${time}So far: ${parts.replace('×', 'and')}.`;
    return `${time}Speedup ${speedup.toFixed(2)} = ${run.processors} ${run.real ? 'threads' : 'processors'} × ${parts}`
      + `${rate === undefined ? '' : ` × speed of a thread ${percent(rate)}`} / (1 + overhead ${percent(overhead!)}).`;
  }

  private runElement(run: api.Course, index: number): HTMLElement {
    const map = element('canvas', { className: 'map', id: `watch-map-${index}` });
    map.setAttribute('role', 'img');
    map.setAttribute('aria-label', `What each of ${run.processors} ${run.real ? 'threads' : 'processors'} does over time, ${run.strategy}`);
    map.onclick = event => {
      const box = map.getBoundingClientRect();
      this.go(Math.floor((event.clientX - box.left) / box.width * this.runs[0].columns));
    };
    const now = element('canvas', { className: 'now', id: `watch-now-${index}` });
    now.setAttribute('role', 'img');
    return element('article', {}, element('h2', {}, run.strategy), element('p', { id: `watch-figures-${index}` }), map, now,
      element('p', { id: `watch-words-${index}` }));
  }

  private toggle() {
    if (this.timer) return this.stop();
    if (!this.runs.length) return;
    if (this.column >= this.runs[0].columns - 1) this.go(0);
    byId('watch-play').textContent = 'Pause';
    this.timer = window.setInterval(() => {
      this.go(this.column + 1);
      if (this.column >= this.runs[0].columns - 1) this.stop();
    }, PLAY_MS);
  }

  private stop() {
    clearInterval(this.timer);
    this.timer = 0;
    byId('watch-play').textContent = 'Play';
  }

  private go(column: number) {
    if (!this.runs.length) return;
    const last = this.runs[0].columns - 1;
    this.column = Math.max(0, Math.min(last, column));
    byId<HTMLInputElement>('watch-time').max = `${last}`;
    byId<HTMLInputElement>('watch-time').value = `${this.column}`;
    this.draw();
  }

  private draw() {
    if (!isOpen('watch')) return;
    this.runs.forEach((run, index) => {
      // Two searches are shown at the same part of their times.
      const column = Math.floor(this.column * run.columns / this.runs[0].columns);
      byId(`watch-figures-${index}`).textContent = this.figures(run);
      drawMap(byId<HTMLCanvasElement>(`watch-map-${index}`), run, column);
      drawNow(byId<HTMLCanvasElement>(`watch-now-${index}`), run, column);
      byId(`watch-words-${index}`).textContent = words(run, column);
    });
  }
}

/** A moment in words. */
function words(run: api.Course, column: number): string {
  const doing = run.activities.map((_, kind) => run.rows.filter(row => row[column] === `${kind}`).length);
  const helpers = run.owners.filter(row => row[column] >= 0).length;
  const sent = Object.entries(run.messages).map(([kind, row]) => [kind, row[column]] as const).filter(([, number]) => number);
  const time = seconds(run.seconds * (column + 1) / run.columns);
  return `${time}: ${doing[0]} search, ${doing[1]} send or receive, ${doing[2] + doing[3]} wait, ${run.real ? `${doing[ALONE]} alone, ` : ''}${doing[5]} idle; ${helpers} help others.`
    + (sent.length ? ` Sent: ${sent.map(([kind, number]) => `${number} × ${kind}`).join(', ')}.` : '');
}

/** As many pixels as the screen has. */
function prepare(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const { clientWidth, clientHeight } = canvas;
  [canvas.width, canvas.height] = [clientWidth * devicePixelRatio, clientHeight * devicePixelRatio];
  const context = canvas.getContext('2d')!;
  context.scale(devicePixelRatio, devicePixelRatio);
  return context;
}

/** Processors from top to bottom, time from left to right. */
function drawMap(canvas: HTMLCanvasElement, run: api.Course, column: number) {
  const context = prepare(canvas);
  const [width, height] = [canvas.clientWidth / run.columns, canvas.clientHeight / run.processors];
  run.rows.forEach((row, processor) => {
    for (let begin = 0; begin < row.length;) {
      let end = begin;
      while (end < row.length && row[end] === row[begin]) end++;
      context.fillStyle = COLORS[Number(row[begin])];
      context.fillRect(begin * width, processor * height, (end - begin) * width + 0.5, height + 0.5);
      begin = end;
    }
  });
  context.fillStyle = '#1060d0';
  context.fillRect(column * width - 1, 0, 2, canvas.clientHeight);
}

/** The processors at one moment: each below the one it works for, as the tree has been split. */
function drawNow(canvas: HTMLCanvasElement, run: api.Course, column: number) {
  const owners = run.owners.map(row => row[column]);
  const depth = (processor: number) => {
    let steps = 0;
    for (let at = processor; owners[at] >= 0 && steps < 60; at = owners[at]) steps++;
    return steps;
  };
  const depths = owners.map((_, processor) => depth(processor));
  // Those without work are many and say nothing.
  const works = owners.map((owner, processor) => processor === 0 || owner >= 0 || owners.includes(processor) || run.rows[processor][column] === '0');
  const levels: number[][] = [];
  depths.forEach((level, processor) => { if (works[processor]) (levels[level] ??= []).push(processor); });
  // Helpers stand in the order of their owners, so that few lines cross.
  const place = new Map<number, { x: number; y: number }>();
  const context = prepare(canvas);
  const rows = levels.flatMap(level => {
    if (!level) return [];
    const sorted = level.sort((one, other) => (place.get(owners[one])?.x ?? one) - (place.get(owners[other])?.x ?? other));
    const perRow = 64, cut: number[][] = [];
    for (let at = 0; at < sorted.length; at += perRow) cut.push(sorted.slice(at, at + perRow));
    cut.forEach(row => row.forEach((processor, index) => place.set(processor, { x: (index + 0.5) / row.length, y: 0 })));
    return cut;
  });
  const { clientWidth, clientHeight } = canvas;
  rows.forEach((row, index) => row.forEach((processor, at) =>
    place.set(processor, { x: (at + 0.5) / row.length * clientWidth, y: (index + 0.5) / rows.length * clientHeight })));
  context.strokeStyle = '#8888';
  context.beginPath();
  owners.forEach((owner, processor) => {
    if (owner < 0) return;
    const [from, to] = [place.get(owner)!, place.get(processor)!];
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
  });
  context.stroke();
  const radius = Math.max(1.5, Math.min(7, clientHeight / rows.length / 3, clientWidth / 64 / 2.4));
  for (const [processor, { x, y }] of place) {
    context.fillStyle = COLORS[Number(run.rows[processor][column])];
    context.beginPath();
    context.arc(x, y, radius, 0, 7);
    context.fill();
  }
  const helpers = owners.filter(owner => owner >= 0).length;
  canvas.setAttribute('aria-label', `${helpers} of ${run.processors} processors work for others, up to ${Math.max(0, ...depths)} below the first`);
}
