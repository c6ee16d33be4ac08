// Analysis: the engine's lines, the tree of variations, whole games annotated.
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import { type Game, type PgnNodeData, makePgn, parsePgn } from 'chessops/pgn';
import type { Move } from 'chessops/types';
import { makeSquare, parseUci } from 'chessops/util';
import * as api from './api';
import type { Board } from './board';
import { adopt, byId, download, element, isOpen, keep, kept, onClick, showStatus } from './dom';
import { showBar, showGraph, valueOf } from './graph';
import { showKnown } from './known';
import { SIGNS, showMoves } from './moves';
import { asPgn } from './positions';
import { count, text, words } from './score';
import { say, spoken } from './speech';
import { type Node as GameNode, Tree, newNode } from './tree';

const USUAL_LINES = 3;
/** Half-moves of a line that are shown. */
const LONGEST_LINE = 14;
/** A shallower search says too little about a position to be kept. */
const KEPT_DEPTH = 8;
/** Where a tab keeps its analysis while it is reloaded. */
const SAVED = 'analysis';
const BRUSHES = ['blue', 'paleBlue', 'paleGrey'];

export class Analyse {
  tree = Tree.start();
  private running = true;
  private lines: api.Line[] = [];
  private search?: AbortController;
  private annotation?: AbortController;
  private frame = 0;
  /** What the network thinks of each man, while that is looked at. */
  private worths: [string, number][] = [];
  /** The games of a text that holds several: as they were read, or as they were left. */
  private games: (Game<PgnNodeData> | Tree)[] = [];
  onPlay: (fen: string) => void = () => {};

  constructor(private board: Board, private info: api.Info) {
    const lines = byId<HTMLSelectElement>('lines');
    for (let number = 1; number <= info.mostLines; number++) lines.append(new Option(`${number}`, `${number}`));
    lines.value = `${USUAL_LINES}`;
    lines.onchange = () => this.restart();
    onClick('engine', () => this.toggle());
    onClick('promote', () => { this.tree.promote(this.tree.current); this.show(); });
    onClick('delete', () => { this.tree.remove(this.tree.current); this.go(this.tree.current); });
    onClick('play-here', () => this.onPlay(this.tree.fen));
    onClick('annotate', () => void this.annotate());
    onClick('export', () => download('game.pgn', this.toPgn()));
    onClick('copy-fen', () => void this.copyFen());
    byId('game-choice').addEventListener('change', () => this.choose(Number(byId<HTMLSelectElement>('game-choice').value)));
    onClick('reset', () => this.open(Tree.start()));
    const mark = byId<HTMLSelectElement>('mark');
    mark.append(new Option('none', ''), ...Object.entries(SIGNS).map(([nag, [sign]]) => new Option(sign, nag)));
    mark.onchange = () => {
      const others = this.tree.current.nags.filter(nag => !SIGNS[nag]);
      this.tree.current.nags = mark.value ? [Number(mark.value), ...others] : others;
      this.show();
    };
    // With every letter: were the list made anew when the field is left, the click that leaves it would miss its move.
    byId('comment').addEventListener('input', event => {
      this.tree.current.comment = (event.target as HTMLInputElement).value.replace(/[{}]/g, '');
      this.showMoves();
    });
    byId('load').addEventListener('submit', event => {
      event.preventDefault();
      this.load(byId<HTMLTextAreaElement>('load-text').value);
    });
    byId('pv').addEventListener('click', event => this.playLine(event.target));
    byId('terms').addEventListener('toggle', () => void this.showTerms());
    addEventListener('pagehide', () => this.save());
    this.resume();
  }

  /** All games of the text, with what was noted in them. */
  private toPgn(): string {
    const pgn = (game: Game<PgnNodeData> | Tree) => game instanceof Tree ? game.toPgn() : makePgn(game);
    return (this.games.length ? this.games : [this.tree]).map(pgn).join('\n');
  }

  /** Keeps the analysis in the tab, so that it survives a reload. */
  private save() {
    const index = Math.max(0, this.games.indexOf(this.tree));
    keep('sessionStorage', SAVED, JSON.stringify({ pgn: this.toPgn(), index, path: this.tree.moves() }));
  }

  private resume() {
    try {
      const saved = JSON.parse(kept('sessionStorage', SAVED) ?? 'null');
      if (!saved) return;
      const games = parsePgn(saved.pgn);
      const tree = Tree.fromGame(games[saved.index]);
      const at = (node: GameNode, uci: string) => node.children.find(child => child.uci === uci) ?? node;
      this.offer(games, saved.index);
      this.open(tree, games.map((game, index) => index === saved.index ? tree : game));
      this.tree.current = (saved.path as string[]).reduce(at, tree.root);
    } catch {
      // What cannot be read is no analysis.
    }
  }

  /** A FEN or a PGN; what is wrong with it is said. */
  load(source: string): boolean {
    let games: Game<PgnNodeData>[];
    try {
      games = parsePgn(asPgn(source));
      const tree = Tree.fromGame(games[0]);
      if (!tree.root.children.length && !tree.headers.has('FEN')) throw new Error('There is no move in this text.');
      this.offer(games, 0);
      this.open(tree, [tree, ...games.slice(1)]);
    } catch (error) {
      this.complain((error as Error).message);
      return false;
    }
    const plies = this.tree.mainLine().length;
    say((plies ? `A game of ${Math.ceil(plies / 2)} moves is loaded.` : 'The position is loaded.')
      + (games.length > 1 ? ` It is the first of ${games.length} games.` : ''));
    return true;
  }

  private offer(games: Game<PgnNodeData>[], chosen: number) {
    const option = ({ headers }: Game<PgnNodeData>, index: number) => new Option(`${index + 1} of ${games.length}: ${title(headers)}`, `${index}`);
    byId('game-choice').replaceChildren(...games.map(option));
    byId<HTMLSelectElement>('game-choice').value = `${chosen}`;
  }

  /** Goes to another game of the text; the one that is left keeps its notes. */
  private choose(index: number) {
    const game = this.games[index];
    try {
      const tree = game instanceof Tree ? game : Tree.fromGame(game);
      this.open(tree, this.games.map((one, place) => place === index ? tree : one));
    } catch (error) {
      byId<HTMLSelectElement>('game-choice').value = `${this.games.indexOf(this.tree)}`;
      this.complain((error as Error).message);
    }
  }

  /** What is wrong with a text, said where it can be seen. */
  complain(reason: string) {
    byId('load-error').textContent = reason;
    byId('load-error').scrollIntoView({ block: 'nearest' });
  }

  open(tree: Tree, games: (Game<PgnNodeData> | Tree)[] = []) {
    this.annotation?.abort();
    this.tree = tree;
    this.tree.current = tree.root;
    this.games = games;
    byId('games').hidden = games.length < 2;
    byId('load-error').textContent = '';
    this.go(tree.current);
  }

  play(move: Move): boolean {
    if (!this.tree.position.isLegal(move)) return false;
    say(`${spoken(this.tree.play(move).san)}.`);
    this.go(this.tree.current);
    return true;
  }

  go(node: GameNode) {
    this.tree.current = node;
    this.restart();
  }

  walk(step: (tree: Tree, node: GameNode) => GameNode | undefined) {
    const next = step(this.tree, this.tree.current);
    if (!next) return;
    this.go(next);
    if (next.san) say(`${spoken(next.san)}.`);
  }

  leave() {
    this.search?.abort();
    cancelAnimationFrame(this.frame);
  }

  private toggle() {
    this.running = !this.running;
    byId('engine').setAttribute('aria-pressed', `${this.running}`);
    this.restart();
  }

  restart() {
    this.search?.abort();
    this.lines = [];
    this.show();
    if (this.running && !this.tree.position.isEnd() && isOpen('analyse')) void this.look();
  }

  private async look() {
    const search = this.search = new AbortController();
    const node = this.tree.current;
    let coming: api.Line[] = [];
    const request: api.SearchRequest = {
      place: this.place(), purpose: 'analyse', game: 'analysis',
      lines: Number(byId<HTMLSelectElement>('lines').value), timeMs: this.info.mostSeconds * 1000,
    };
    try {
      await api.search(request, search.signal, event => {
        if (event.kind !== 'line' || !event.exact) return;
        // Lines of two depths would stand in no order, so they are shown when all of a depth have come.
        if (event.depth !== coming.find(Boolean)?.depth) coming = [];
        coming[event.rank - 1] = event;
        if (Object.keys(coming).length < Math.max(coming.length, this.lines.length)) return;
        this.lines = [...coming];
        const [best] = coming;
        if (best.depth >= KEPT_DEPTH) node.score = best.score;
        cancelAnimationFrame(this.frame);
        this.frame = requestAnimationFrame(() => this.showLines());
      });
    } catch (error) {
      if (search.signal.aborted) return;
      showStatus('analyse', (error as Error).message);
      say((error as Error).message);
    }
  }

  private async annotate() {
    if (this.annotation) return this.annotation.abort();
    if (!this.tree.root.children.length) return this.complain('There is no move to annotate.');
    const annotation = this.annotation = new AbortController();
    const [bar, words] = [byId<HTMLProgressElement>('progress-bar'), byId('progress-text')];
    bar.removeAttribute('value');
    words.textContent = 'waiting for an engine…';
    byId('progress').hidden = false;
    byId('annotate').textContent = 'Stop';
    say('Annotating the game.');
    const nodes = Number(byId<HTMLSelectElement>('care').value);
    const { tree } = this;
    const pgn = tree.toPgn();
    try {
      await api.annotate(pgn, nodes, annotation.signal, event => {
        if (event.kind === 'progress') {
          [bar.max, bar.value] = [event.all, event.done];
          words.textContent = `${event.done} of ${event.all} positions`;
        } else if (event.kind === 'game') {
          this.annotation = undefined;
          tree.merge(Tree.fromPgn(pgn), Tree.fromPgn(event.pgn));
          this.show();
          say(`The game is annotated. ${byId('accuracy').textContent}`);
        }
      });
    } catch (error) {
      if (!annotation.signal.aborted) this.complain((error as Error).message);
    }
    this.annotation = undefined;
    byId('progress').hidden = true;
    byId('annotate').textContent = 'Annotate the game';
  }

  private async copyFen() {
    await navigator.clipboard?.writeText(this.tree.fen).catch(() => {});
    byId<HTMLTextAreaElement>('load-text').value = this.tree.fen;
    byId('copy-fen').textContent = 'Copied';
    setTimeout(() => { byId('copy-fen').textContent = 'Copy FEN'; }, 2000);
    say('The FEN is copied, and stands in the text field.');
  }

  private showMoves() { showMoves(byId('moves'), this.tree, node => this.go(node), true); }

  show() {
    if (!isOpen('analyse')) return;
    const { current, position } = this.tree;
    this.board.show({ position, lastMove: current.move, movable: 'both', shapes: this.shapes() });
    this.showMoves();
    byId<HTMLInputElement>('comment').value = current.comment;
    byId<HTMLSelectElement>('mark').value = `${current.nags.find(nag => SIGNS[nag]) ?? ''}`;
    for (const id of ['promote', 'delete', 'mark', 'comment']) byId<HTMLButtonElement>(id).disabled = !current.parent;
    for (const [id, color] of [['player-top', 'Black'], ['player-bottom', 'White']]) {
      const name = this.board.orientation === 'white' ? color : color === 'White' ? 'Black' : 'White';
      byId(id).children[0].textContent = this.tree.headers.get(name)?.replace(/^\?$/, '') || name;
    }
    const accuracy = ['White', 'Black'].map(side => [side, this.tree.headers.get(`${side}Accuracy`)]).filter(([, value]) => value);
    byId('accuracy').textContent = accuracy.length ? `Accuracy: ${accuracy.map(([side, value]) => `${side} ${value} %`).join(', ')}` : '';
    this.showLines();
    void this.showTerms();
    void this.showKnown();
  }

  /** What is known without a search, where the position is still the same when it is told. */
  private async showKnown() {
    const { current } = this.tree;
    const known = await api.known(this.place()).catch(() => undefined);
    if (current !== this.tree.current || !known || !isOpen('analyse')) return;
    showKnown(byId('known'), known, current.position, move => this.play(move));
  }

  /** What the engine thinks of the position, in words. */
  get opinion(): string {
    const [best] = this.lines;
    if (!best?.moves.length) return '';
    const { san } = new Tree(newNode(this.tree.position)).play(parseUci(best.moves[0])!);
    return ` Rookery thinks: ${words(best.score)}; the best move is ${spoken(san)}.`;
  }

  private place() { return { fen: this.tree.startFen, moves: this.tree.moves() }; }

  private shapes(): DrawShape[] {
    const worths = this.worths.map(([square, worth]): DrawShape => {
      // No minus before what is rounded to nothing.
      const text = Math.abs(worth) >= 995 ? `${Math.round(worth / 100)}` : (Math.round(worth / 10) / 10 || 0).toFixed(1);
      return { orig: square as Key, label: { text, fill: worth >= 0 ? '#237a4b' : '#b33a32' } };
    });
    return [...worths, ...this.arrows()];
  }

  private arrows(): DrawShape[] {
    return this.lines.flatMap((line, index): DrawShape[] => {
      const move = line?.moves[0] ? parseUci(line.moves[0]) : undefined;
      if (!move || !('from' in move)) return [];
      const [orig, dest] = [makeSquare(move.from) as Key, makeSquare(move.to) as Key];
      return [{ orig, dest, brush: BRUSHES[Math.min(index, BRUSHES.length - 1)], modifiers: { lineWidth: index ? 6 : 11 } }];
    });
  }

  private showLines() {
    const best = this.lines[0];
    const { position, current } = this.tree;
    this.board.shapes(this.shapes());
    byId('numbers').textContent = !best ? ''
      : `depth ${best.depth}/${best.selectiveDepth} · ${count(best.nodes)} nodes · ${count(best.nps)}/s · table ${(best.hashfull / 10).toFixed(0)} %`
        + (best.tbhits ? ` · ${count(best.tbhits)} tablebase hits` : '');
    adopt(byId('pv'), element('ol', {}, ...this.lines.filter(Boolean).map(line => this.lineElement(line))));
    const parts = best?.chances ?? [0, 0, 0];
    const [win, loss] = [parts[0], parts[2]].map(part => Math.round(part / 10));
    const percent = [win, 100 - win - loss, loss];
    byId('chances').style.visibility = best ? 'visible' : 'hidden';
    [...byId('chances').children].forEach((part, index) => {
      (part as HTMLElement).style.width = `${parts[index] / 10}%`;
      part.textContent = parts[index] >= 80 ? `${percent[index]} %` : '';
    });
    byId('chances').ariaLabel = `White wins ${win} %, draw ${percent[1]} %, Black wins ${loss} %`;
    const score = best?.score ?? valueOf(current);
    const end = position.isCheckmate() ? 'Checkmate.' : position.isEnd() ? 'Draw.' : '';
    // A search reports several times a second: a screen reader would speak of nothing else.
    byId('status').ariaLive = end ? 'polite' : 'off';
    byId('status').textContent = end || (best ? `${text(best.score)}: ${words(best.score)}` : this.running ? 'Searching…' : 'The engine rests.');
    showBar(score, this.board.orientation === 'black');
    if (position.isCheckmate()) byId('bar-text').textContent = '#';
    showGraph(this.tree, node => this.go(node));
  }

  /** A line of play: each move can be clicked and is then played up to there. */
  private lineElement(line: api.Line): HTMLElement {
    const tree = new Tree(newNode(this.tree.position));
    const moves = line.moves.slice(0, LONGEST_LINE);
    const shown = element('span', { className: 'line' });
    moves.forEach((uci, index) => {
      const { turn, fullmoves } = tree.position;
      const number = turn === 'white' ? `${fullmoves}.` : index ? '' : `${fullmoves}…`;
      const button = element('button', { type: 'button' }, tree.play(parseUci(uci)!).san);
      button.dataset.moves = moves.slice(0, index + 1).join(' ');
      // One stop for each line: forty would stand between the controls and the moves.
      button.tabIndex = index ? -1 : 0;
      shown.append(element('span', { className: 'one' }, number, button), ' ');
    });
    return element('li', {}, element('b', {}, text(line.score)), shown);
  }

  /** Plays a line up to the move that is clicked. */
  private playLine(target: EventTarget | null) {
    const moves = (target as HTMLElement).closest('button')?.dataset.moves;
    if (!moves) return;
    for (const uci of moves.split(' ')) this.tree.play(parseUci(uci)!);
    this.go(this.tree.current);
  }

  private async showTerms() {
    const { current } = this.tree;
    const areSeen = () => byId<HTMLDetailsElement>('terms').open;
    const report = areSeen() ? await api.evaluate(this.place()).catch(() => undefined) : undefined;
    if (current !== this.tree.current || !isOpen('analyse')) return;
    this.worths = areSeen() ? Object.entries(report?.network?.men ?? {}) : [];
    this.board.shapes(this.shapes());
    if (!report) return;
    const cell = (tag: 'td' | 'th', value: string | number) => element(tag, {}, `${value}`);
    const row = (tag: 'td' | 'th', ...cells: (string | number)[]) => element('tr', {}, ...cells.map(value => cell(tag, value)));
    const rows = (report.terms ?? []).map((term: { name: string; white: number[]; black: number[] }) =>
      row('td', term.name, term.white.join(' / '), term.black.join(' / ')));
    const sum = `${report.known_ending ? 'A known ending, of which no terms are summed: ' : 'Terms: '}${report.white} centipawns for White.`;
    const net = report.network ? `Network: ${report.network.white}. The numbers on the board say what White would lose, in pawns, without each man.` : '';
    byId('terms-table').replaceChildren(
      ...rows.length ? [element('table', {}, row('th', 'middlegame / endgame', 'White', 'Black'), ...rows)] : [],
      element('p', {}, sum), element('p', {}, net));
  }
}

/** What a game is called in a list: by its players, or, where there are none, by its event or its position. */
function title(headers: Map<string, string>): string {
  const [white, black, event] = ['White', 'Black', 'Event'].map(name => headers.get(name)?.replace(/^\?$/, ''));
  const fen = headers.get('FEN');
  return !white && !black && fen ? event || fen : `${white || '?'} – ${black || '?'}, ${headers.get('Result') ?? '*'}`;
}
