// A simulated parallel search to be watched: who searches, waits and helps whom, at any moment of virtual time.
import * as api from './api';
import type { Board } from './board';
import { byId, element, onClick } from './dom';
import { count } from './score';
import { say } from './speech';
import { PLACE, TOURS, type Tour } from './tours';
import { Tree } from './tree';
import { drawTree } from './twigs';

/** Searching, messages, table, waiting, idle: told apart by lightness too. */
const COLORS = ['#2f8f5b', '#e0952c', '#8a63c9', '#c7463d', '#c9c5bb'];
const USUAL = { strategy: 'ybw', other: '', machine: 't805', processors: '64', depth: '6' };
const PLAY_MS = 40;

const seconds = (value: number) =>
  value >= 1 ? `${value.toFixed(2)} s` : value >= 1e-3 ? `${(value * 1e3).toFixed(2)} ms` : `${(value * 1e6).toFixed(1)} µs`;

export class Watch {
  tree!: Tree;
  private runs: api.Simulation[] = [];
  private column = 0;
  private simulation?: AbortController;
  private timer = 0;
  private tour?: { tour: Tour; step: number };

  constructor(private board: Board, info: api.Info) {
    const fill = (id: string, values: string[], chosen: string) => {
      byId<HTMLSelectElement>(id).append(...values.map(value => new Option(value || 'none', value, false, value === chosen)));
    };
    fill('watch-strategy', info.strategies, USUAL.strategy);
    fill('watch-other', ['', ...info.strategies], USUAL.other);
    fill('watch-machine', info.machines, USUAL.machine);
    fill('watch-processors', ['2', '4', '8', '16', '32', '64', '128', '256', '512', '1024'], USUAL.processors);
    fill('watch-depth', ['3', '4', '5', '6', '7', '8'], USUAL.depth);
    byId('watch-form').addEventListener('submit', event => { event.preventDefault(); this.endTour(); void this.run(); });
    byId('watch-time').addEventListener('input', () => this.go(Number(byId<HTMLInputElement>('watch-time').value)));
    onClick('watch-back', () => this.go(this.column - 1));
    onClick('watch-forward', () => this.go(this.column + 1));
    onClick('watch-play', () => this.toggle());
    byId('watch-legend').append(...['searches', 'messages', 'waits for the table', 'waits for helpers', 'idle'].map((name, index) => {
      const swatch = element('i');
      swatch.style.background = COLORS[index];
      return element('span', {}, swatch, name);
    }));
    byId('tours').append(...TOURS.map(tour => element('button', { id: `tour-${tour.id}`, onclick: () => void this.take(tour, 0) }, tour.name)));
    onClick('tour-back', () => void this.take(this.tour!.tour, this.tour!.step - 1));
    onClick('tour-next', () => void this.take(this.tour!.tour, this.tour!.step + 1));
    onClick('tour-end', () => { this.endTour(); byId('tours').querySelector('button')!.focus(); });
    new ResizeObserver(() => this.draw()).observe(byId('watch-runs'));
  }

  play(): boolean { return false; }
  walk() {}
  leave() { this.stop(); }

  show() {
    const tree = this.tour ? Tree.fromFen(PLACE.fen) : this.tree;
    this.board.show({ position: tree.position, lastMove: tree.current.move });
    for (const id of ['player-top', 'player-bottom']) byId(id).children[0].textContent = '';
    if (!this.runs.length) byId('status').textContent = 'The position on the board is searched by a machine of many processors, simulated.';
    this.draw();
  }

  private endTour() {
    this.tour = undefined;
    byId('tour').hidden = true;
    this.show();
  }

  /** Goes to a step of a tour: simulates what it shows, unless that is there already, and says it. */
  private async take(tour: Tour, number: number) {
    const isNew = this.tour?.tour !== tour;
    this.tour = { tour, step: number };
    const step = tour.steps[number];
    const set = (id: string, value: string) => { byId<HTMLSelectElement>(id).value = value; };
    const beside = byId<HTMLSelectElement>('watch-other').value;
    set('watch-strategy', tour.strategy);
    set('watch-other', step.beside ?? '');
    set('watch-machine', tour.machine);
    set('watch-processors', `${tour.processors}`);
    set('watch-depth', `${tour.depth}`);
    if (isNew) this.show();
    if (isNew || (step.beside && !beside)) {
      if (!await this.run()) return;
    } else if (beside && !step.beside) this.present([this.runs[0]]);
    const [run, other] = this.runs;
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

  /** Simulates what is chosen; whether it came to an end. */
  private async run(): Promise<boolean> {
    this.stop();
    this.simulation?.abort();
    const simulation = this.simulation = new AbortController();
    const value = (id: string) => byId<HTMLSelectElement>(id).value;
    const strategies = [value('watch-strategy'), value('watch-other')].filter(Boolean);
    const place = this.tour ? PLACE : { fen: this.tree.startFen, moves: this.tree.moves() };
    byId('status').textContent = 'Simulating…';
    const runs: api.Simulation[] = [];
    try {
      for (const strategy of strategies) {
        const request = {
          place, strategy, machine: value('watch-machine'), processors: Number(value('watch-processors')), depth: Number(value('watch-depth')),
        };
        await api.simulate(request, simulation.signal, event => { if (event.kind === 'simulation') runs.push(event); });
      }
    } catch (error) {
      if (!simulation.signal.aborted) byId('status').textContent = (error as Error).message;
      return false;
    }
    this.present(runs);
    const words = runs.map(run => `${run.strategy}: ${run.processors} processors are ${run.speedup.toFixed(1)} times as fast as one.`).join(' ');
    byId('status').textContent = words;
    // A tour tells in its own words.
    if (!this.tour) say(words);
    return true;
  }

  private present(runs: api.Simulation[]) {
    this.runs = runs;
    byId('watch-view').hidden = false;
    byId('watch-runs').replaceChildren(...runs.map((run, index) => this.runElement(run, index)));
    byId<HTMLInputElement>('watch-time').max = `${runs[0].columns - 1}`;
    this.go(0);
  }

  private runElement(run: api.Simulation, index: number): HTMLElement {
    const percent = (part: number) => `${(part * 100).toFixed(1)} %`;
    const figures = `${seconds(run.seconds)} of virtual time, ${count(run.nodes)} nodes. Speedup ${run.speedup.toFixed(2)} = `
      + `${run.processors} processors × load ${percent(run.load)} × performance ${percent(run.performance)} / (1 + overhead ${percent(run.overhead)}).`;
    const map = element('canvas', { className: 'map', id: `watch-map-${index}` });
    map.setAttribute('role', 'img');
    map.setAttribute('aria-label', `What each of ${run.processors} processors does over time, ${run.strategy}`);
    map.onclick = event => {
      const box = map.getBoundingClientRect();
      this.go(Math.floor((event.clientX - box.left) / box.width * run.columns));
    };
    const now = element('canvas', { className: 'now', id: `watch-now-${index}` });
    now.setAttribute('role', 'img');
    return element('article', {}, element('h2', {}, run.strategy), element('p', {}, figures), map, now,
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
    this.column = Math.max(0, Math.min(this.runs[0].columns - 1, column));
    byId<HTMLInputElement>('watch-time').value = `${this.column}`;
    this.draw();
  }

  private draw() {
    if (document.body.dataset.mode !== 'watch') return;
    this.runs.forEach((run, index) => {
      drawMap(byId<HTMLCanvasElement>(`watch-map-${index}`), run, this.column);
      drawNow(byId<HTMLCanvasElement>(`watch-now-${index}`), run, this.column);
      byId(`watch-words-${index}`).textContent = this.words(run);
    });
  }

  /** The moment in words. */
  private words(run: api.Simulation): string {
    const doing = run.activities.map((_, kind) => run.rows.filter(row => row[this.column] === `${kind}`).length);
    const helpers = run.owners.filter(row => row[this.column] >= 0).length;
    const sent = Object.entries(run.messages).map(([kind, row]) => [kind, row[this.column]] as const).filter(([, number]) => number);
    const time = seconds(run.seconds * (this.column + 1) / run.columns);
    return `${time}: ${doing[0]} search, ${doing[1]} send or receive, ${doing[2] + doing[3]} wait, ${doing[4]} idle; ${helpers} help others.`
      + (sent.length ? ` Sent: ${sent.map(([kind, number]) => `${number} ${kind}`).join(', ')}.` : '');
  }
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
function drawMap(canvas: HTMLCanvasElement, run: api.Simulation, column: number) {
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
function drawNow(canvas: HTMLCanvasElement, run: api.Simulation, column: number) {
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
