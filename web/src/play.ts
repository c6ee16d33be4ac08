// A game against the engine. The page keeps the game and the clocks; the server only thinks.
import type { Key } from '@lichess-org/chessground/types';
import type { Color, Move } from 'chessops/types';
import { makeSquare, opposite, parseUci } from 'chessops/util';
import * as api from './api';
import type { Board } from './board';
import { chess960 } from './chess960';
import { Clock, clockText } from './clock';
import { byId, isOpen, keep, kept, onClick, showStatus } from './dom';
import { showMoves } from './moves';
import { say, spoken } from './speech';
import type { Score } from './score';
import { type Node as GameNode, Tree } from './tree';

const NAME: Record<Color, string> = { white: 'White', black: 'Black' };
/** The engine's time for a move where there is no clock. */
const MOVE_TIME_MS = 2000;
const HINT_TIME_MS = 1000;
/** No draw is accepted before this half-move. */
const EARLIEST_DRAW = 20;
const FULL_LEVEL = 20;
const SAVED = 'game';

export class Play {
  tree = Tree.start();
  /** The end of the game: who won, or that it is drawn, and why. */
  private over = '';
  private started = false;
  private human: Color = 'white';
  private level = FULL_LEVEL;
  private clock?: Clock;
  private game = '';
  private thinking?: AbortController;
  private hinting?: AbortController;
  /** What the engine thought of its last move, for White. */
  private score?: Score;
  private shownNode: GameNode = this.tree.root;
  onStudy: (tree: Tree) => void = () => {};
  /** The position on the analysis board, to play from. */
  otherFen: () => string = () => this.tree.fen;

  constructor(private board: Board, private levels: [number, number][]) {
    byId('new-game').addEventListener('submit', event => { event.preventDefault(); this.start(); });
    byId('level').addEventListener('input', () => this.showLevel());
    byId('new-game').addEventListener('change', () => { if (!this.started) this.show(); });
    onClick('takeback', () => this.takeBack());
    onClick('hint', () => void this.hint());
    onClick('draw', () => this.offerDraw());
    onClick('resign', () => this.end(`${NAME[opposite(this.human)]} wins: ${NAME[this.human]} resigns.`));
    onClick('study', () => this.onStudy(this.tree));
    // The time that has been spent on a move is spent, also where the page is loaded anew.
    addEventListener('pagehide', () => { if (this.playing) this.save(); });
    this.showLevel();
    this.resume();
  }

  /** Before the first game: White's men stand ready, and their first move starts it. */
  private get isOffered() {
    const side = new FormData(byId<HTMLFormElement>('new-game')).get('side');
    return !this.started && side !== 'black' && byId<HTMLSelectElement>('variant').value === 'standard';
  }

  private get playing() { return this.started && !this.over; }

  private showLevel() {
    const level = Number(byId<HTMLInputElement>('level').value);
    byId('level-text').textContent = level === FULL_LEVEL ? '20: full strength' : `${level}: about ${this.rating(level)} Elo`;
  }

  /** Between the levels that were measured, on straight lines; above the last, no number is known. */
  private rating(level: number): string {
    const upper = this.levels.findIndex(([known]) => known >= level);
    if (upper < 0) return `more than ${this.levels[this.levels.length - 1][1]}`;
    const [high, atHigh] = this.levels[upper];
    const [low, atLow] = this.levels[Math.max(0, upper - 1)];
    const part = high === low ? 0 : (level - low) / (high - low);
    return `${Math.round((atLow + (atHigh - atLow) * part) / 10) * 10}`;
  }

  start(fen?: string, human?: Color) {
    this.stop();
    const form = new FormData(byId<HTMLFormElement>('new-game'));
    const side = form.get('side') as string;
    const variant = fen ? 'current' : byId<HTMLSelectElement>('variant').value;
    this.tree = variant === 'standard' ? Tree.start()
      : Tree.fromFen(fen ?? (variant === 'chess960' ? chess960(Math.floor(Math.random() * 960)) : this.otherFen()));
    this.human = human ?? (side === 'random' ? (Math.random() < 0.5 ? 'white' : 'black') : side as Color);
    this.level = Number(byId<HTMLInputElement>('level').value);
    this.game = `${Math.random()}`.slice(2);
    const [minutes, seconds] = byId<HTMLSelectElement>('time').value.split('+').map(Number);
    this.clock = minutes ? this.newClock({ white: minutes * 60_000, black: minutes * 60_000 }, seconds * 1000) : undefined;
    [this.over, this.started, this.score, this.shownNode] = ['', true, undefined, this.tree.root];
    const engine = `Rookery${this.level < FULL_LEVEL ? `, level ${this.level}` : ''}`;
    this.tree.headers = new Map([
      ['Event', 'A game in the browser'], ['Date', new Date().toISOString().slice(0, 10).replace(/-/g, '.')],
      ['White', this.human === 'white' ? 'You' : engine], ['Black', this.human === 'black' ? 'You' : engine],
    ]);
    if (variant === 'chess960') this.tree.headers.set('Variant', 'Chess960');
    this.board.orientation = this.human;
    byId<HTMLDetailsElement>('setup').open = false;
    say(`New game. You play ${NAME[this.human]}.`);
    this.next();
  }

  private newClock(left: Record<Color, number>, incrementMs: number): Clock {
    const clock = new Clock(left, incrementMs);
    clock.onTick = () => this.showPlayers();
    clock.onFlag = color => this.flagged(color);
    return clock;
  }

  /** Keeps the game in the browser, so that it survives a reload: this tab's own, and the last one of all tabs. */
  private save() {
    const { clock, human, level, game, over } = this;
    const left = clock && { white: clock.remaining('white'), black: clock.remaining('black') };
    const pgn = this.tree.toPgn();
    const saved = JSON.stringify({ pgn, human, level, game, over, left, increment: clock?.incrementMs });
    for (const storage of ['sessionStorage', 'localStorage'] as const) keep(storage, SAVED, saved);
  }

  /** Goes on with the game that was played before the page was loaded, if there is one. */
  private resume() {
    try {
      const own = kept('sessionStorage', SAVED);
      const saved = JSON.parse(own ?? kept('localStorage', SAVED) ?? 'null');
      // A new tab goes on with a game, but begins with no old one.
      if (!saved || (!own && saved.over)) return;
      this.tree = Tree.fromPgn(saved.pgn);
      this.tree.current = this.tree.mainLine().pop() ?? this.tree.root;
      [this.human, this.level, this.game, this.over, this.started] = [saved.human, saved.level, saved.game, saved.over, true];
      if (saved.left) this.clock = this.newClock(saved.left, saved.increment);
    } catch {
      return; // What cannot be read is no game.
    }
    this.board.orientation = this.human;
    this.shownNode = this.tree.current;
    if (this.over) return;
    byId<HTMLDetailsElement>('setup').open = false;
    this.next();
  }

  /** The server is gone, or back: no clock runs while it cannot move. */
  wait(isGone: boolean) {
    if (!this.playing || !this.clock || this.tree.position.turn === this.human) return;
    this.clock.run(isGone ? undefined : this.tree.position.turn);
  }

  leave() {
    this.hinting?.abort();
    this.board.cancelPremove();
  }

  /** The game goes on, or has ended. */
  private next() {
    this.hinting?.abort();
    const { position } = this.tree;
    this.shownNode = this.tree.current;
    const end = this.ending();
    if (end) return this.end(end);
    this.clock?.run(this.tree.moves().length || this.human !== position.turn ? position.turn : undefined);
    if (position.turn !== this.human) void this.think();
    this.save();
    this.show();
  }

  private ending(): string {
    const { position } = this.tree;
    if (position.isCheckmate()) return `${NAME[opposite(position.turn)]} wins by checkmate.`;
    if (position.isStalemate()) return 'Draw by stalemate.';
    if (position.isInsufficientMaterial()) return 'Draw: neither side can mate.';
    if (this.tree.repetitions() >= 3) return 'Draw: the position stood three times.';
    if (position.halfmoves >= 100) return 'Draw: fifty moves without capture or pawn move.';
    return '';
  }

  private end(reason: string) {
    if (!this.playing) return;
    this.over = reason;
    this.stop();
    this.tree.headers.set('Result', /^White/.test(reason) ? '1-0' : /^Black/.test(reason) ? '0-1' : '1/2-1/2');
    say(`The game is over. ${reason}`);
    this.save();
    this.show();
  }

  private flagged(color: Color) {
    const winner = opposite(color);
    this.end(this.tree.position.hasInsufficientMaterial(winner)
      ? `Draw: ${NAME[color]} has no time left, and ${NAME[winner]} cannot mate.`
      : `${NAME[winner]} wins: ${NAME[color]} has no time left.`);
  }

  private stop() {
    this.thinking?.abort();
    this.hinting?.abort();
    this.clock?.run(undefined);
    this.board.cancelPremove();
  }

  play(move: Move): boolean {
    if (this.isOffered) this.start(undefined, 'white');
    const { position } = this.tree;
    if (!this.playing || position.turn !== this.human || this.shownNode !== this.tree.current || !position.isLegal(move)) return false;
    this.made(move, 'You');
    return true;
  }

  /** Why a move cannot be made now; nothing where it is only not legal. */
  get refusal(): string {
    if (this.over) return 'The game is over.';
    if (!this.playing) return this.isOffered ? '' : 'Start a game first.';
    if (this.shownNode !== this.tree.current) return 'This is an earlier position: go to the end of the game first.';
    return this.tree.position.turn === this.human ? '' : 'It is not your turn.';
  }

  private made(move: Move, who: string) {
    const { turn } = this.tree.position;
    const node = this.tree.play(move);
    this.clock?.press(turn);
    say(`${who}: ${spoken(node.san)}.`);
    this.next();
  }

  private async think() {
    const thinking = this.thinking = new AbortController();
    const engine = opposite(this.human);
    const request: api.SearchRequest = {
      place: { fen: this.tree.startFen, moves: this.tree.moves() }, purpose: 'play', game: this.game, level: this.level,
    };
    if (this.clock) request.clock = { remainingMs: Math.round(this.clock.remaining(engine)), incrementMs: this.clock.incrementMs };
    else request.timeMs = MOVE_TIME_MS;
    try {
      await api.search(request, thinking.signal, event => {
        if (event.kind === 'line' && event.rank === 1) this.score = event.score;
        if (event.kind === 'best' && event.move) this.made(parseUci(event.move)!, 'Rookery');
      });
    } catch (error) {
      if (!thinking.signal.aborted) showStatus('play', `Rookery cannot move: ${(error as Error).message}`);
    }
  }

  private takeBack() {
    if (!this.started || !this.tree.moves().length) return;
    this.stop();
    const undo = () => { const node = this.tree.current; this.tree.remove(node); };
    undo();
    if (this.tree.position.turn !== this.human && this.tree.moves().length) undo();
    this.over = '';
    this.tree.headers.delete('Result');
    say('Taken back.');
    this.next();
  }

  private async hint() {
    if (!this.playing || this.tree.position.turn !== this.human) return;
    const hinting = this.hinting = new AbortController();
    const place = { fen: this.tree.startFen, moves: this.tree.moves() };
    byId('status').textContent = 'Looking for a hint…';
    await api.search({ place, purpose: 'analyse', game: 'hint', timeMs: HINT_TIME_MS }, hinting.signal, event => {
      const move = event.kind === 'best' && event.move ? parseUci(event.move) : undefined;
      if (!move || !('from' in move)) return;
      // Seen where it is meant.
      if (this.shownNode !== this.tree.current) this.go(this.tree.current);
      this.board.shapes([{ orig: makeSquare(move.from) as Key, dest: makeSquare(move.to) as Key, brush: 'green' }]);
      const san = Tree.fromFen(this.tree.fen).play(move).san;
      byId('status').textContent = `Hint: ${san}`;
      say(`Hint: ${spoken(san)}.`);
    }).catch(error => { if (!hinting.signal.aborted) showStatus('play', `No hint: ${(error as Error).message}`); });
  }

  /** The engine takes a draw where it does not think that it is better. */
  private offerDraw() {
    if (!this.playing) return;
    const value = this.score && 'cp' in this.score ? this.score.cp : (this.score?.mate ?? 0) * 1000;
    const forEngine = this.human === 'white' ? -value : value;
    if (this.tree.moves().length >= EARLIEST_DRAW && this.score && forEngine <= 0) return this.end('Draw by agreement.');
    byId('status').textContent = 'Rookery declines the draw.';
    say('Rookery declines the draw.');
  }

  go(node: GameNode) {
    this.shownNode = node;
    this.show();
  }

  walk(step: (tree: Tree, node: GameNode) => GameNode | undefined) {
    this.go(step(this.tree, this.shownNode) ?? this.shownNode);
  }

  show() {
    if (!isOpen('play')) return;
    const atEnd = this.shownNode === this.tree.current;
    this.board.show({
      position: this.shownNode.position, lastMove: this.shownNode.move,
      movable: this.playing && atEnd ? this.human : this.isOffered ? 'white' : undefined,
    });
    const view = { root: this.tree.root, current: this.shownNode } as Tree;
    showMoves(byId('moves'), view, node => this.go(node), false);
    const turn = this.tree.position.turn === this.human ? `Your move (${NAME[this.human]}).` : 'Rookery thinks…';
    byId('status').textContent = !this.started ? (this.isOffered ? 'Make a move, or choose a level and start.' : 'Choose a level and start.') : this.over || turn;
    for (const id of ['hint', 'draw', 'resign']) byId<HTMLButtonElement>(id).disabled = !this.playing;
    const isFlagged = !!this.clock && (!this.clock.remaining('white') || !this.clock.remaining('black'));
    byId<HTMLButtonElement>('takeback').disabled = !this.started || isFlagged || !this.tree.moves().length;
    this.showPlayers();
  }

  private showPlayers() {
    if (!isOpen('play')) return;
    for (const [id, color] of [['player-top', opposite(this.board.orientation)], ['player-bottom', this.board.orientation]] as const) {
      const [name, clock] = byId(id).children;
      name.textContent = this.started ? `${this.tree.headers.get(NAME[color])} (${NAME[color]})` : NAME[color];
      const left = this.clock?.remaining(color);
      clock.textContent = left === undefined ? '' : clockText(left);
      clock.classList.toggle('runs', this.playing && !!this.clock && this.tree.position.turn === color);
      clock.classList.toggle('low', left !== undefined && left < 20_000);
    }
  }
}
