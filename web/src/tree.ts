// A game as a tree: positions, moves, variations, notes. The rules are those of chessops.
import { Chess, normalizeMove, type Position } from 'chessops/chess';
import { INITIAL_FEN, makeFen, parseFen } from 'chessops/fen';
import {
  ChildNode, type Comment, type Game, Node as PgnTree, type PgnNodeData, isMate, makeComment, makePgn, parseComment, parsePgn,
  parseVariant, startingPosition,
} from 'chessops/pgn';
import { makeSan, parseSan } from 'chessops/san';
import { type Move, isNormal } from 'chessops/types';
import { makeUci, parseUci } from 'chessops/util';
import { UNREADABLE } from './positions';
import type { Score } from './score';

export interface Node {
  parent?: Node;
  children: Node[];
  position: Position;
  move?: Move;
  uci: string;
  san: string;
  score?: Score;
  nags: number[];
  comment: string;
  /** A comment in front of the move. */
  before: string;
  /** What else a file says of the move: clocks, arrows and circles. It is kept. */
  extras: Pick<Comment, 'shapes' | 'clock' | 'emt'>;
}

/** The text of a position without its move counters: what repetition compares. */
const placement = (position: Position) => makeFen(position.toSetup()).split(' ').slice(0, 4).join(' ');

export const newNode = (position: Position, parent?: Node): Node =>
  ({ parent, children: [], position, uci: '', san: '', nags: [], comment: '', before: '', extras: { shapes: [] } });

export class Tree {
  current: Node;
  headers = new Map<string, string>();

  constructor(readonly root: Node) {
    this.current = root;
  }

  static fromFen(fen: string): Tree {
    return new Tree(newNode(legal(parseFen(fen).chain(setup => Chess.fromSetup(setup)))));
  }

  static start = () => Tree.fromFen(INITIAL_FEN);

  /** Reads the first game of a text. */
  static fromPgn(text: string): Tree { return Tree.fromGame(parsePgn(text)[0]); }

  /** A move that is not legal is an error which names it. */
  static fromGame(game?: Game<PgnNodeData>): Tree {
    if (!game) throw new Error('There is no game in this text.');
    const variant = game.headers.get('Variant');
    if (parseVariant(variant) !== 'chess') throw new Error(`Rookery does not play ${variant}.`);
    const tree = new Tree(newNode(legal(startingPosition(game.headers))));
    tree.headers = game.headers;
    tree.root.comment = (game.comments ?? []).join(' ');
    read(tree.root, game.moves);
    return tree;
  }

  get position() { return this.current.position; }
  get fen() { return makeFen(this.position.toSetup()); }
  get startFen() { return makeFen(this.root.position.toSetup()); }

  /** Plays a move from the current position, in a new variation where it is not yet there. */
  play(move: Move): Node {
    const wanted = normalizeMove(this.position, move);
    const uci = makeUci(wanted);
    this.current = this.current.children.find(child => child.uci === uci) ?? append(this.current, wanted);
    return this.current;
  }

  /** A move as people write it: `e4`, `Nf3`, `e2e4`, `e2-e4`, `0-0`, `NF3`, `Nf3!`, `exd6 e.p.`, `a8(Q)`. */
  read(text: string): Move | undefined {
    const plain = text.trim().replace(/(\s*e\.?p\.?|[!?])+$/, '').replace(/[(/]([qrbn])\)?$/i, '=$1')
      .replace(/[-\s](?=[a-h][1-8])/i, '').replace(/0/g, 'O').replace(/^o-o(-o)?$/i, word => word.toUpperCase());
    const small = plain.toLowerCase(), man = plain.slice(0, 1).toUpperCase();
    const candidates = [parseUci(small), ...[plain, man + plain.slice(1), man + small.slice(1), small].map(san => parseSan(this.position, san))];
    return candidates.map(move => move && isNormal(move) ? normalizeMove(this.position, move) : undefined)
      .find(move => move && this.position.isLegal(move));
  }

  path(node = this.current): Node[] {
    const path: Node[] = [];
    for (let at: Node | undefined = node; at?.parent; at = at.parent) path.unshift(at);
    return path;
  }

  mainLine(): Node[] {
    const line: Node[] = [];
    for (let at = this.root.children[0]; at; at = at.children[0]) line.push(at);
    return line;
  }

  moves(node = this.current) { return this.path(node).map(one => one.uci); }

  /** How often the position of a node has stood on the board in its line. */
  repetitions(node = this.current): number {
    const key = placement(node.position);
    return [this.root, ...this.path(node)].filter(one => placement(one.position) === key).length;
  }

  remove(node: Node) {
    if (!node.parent) return;
    if (this.path().includes(node)) this.current = node.parent;
    node.parent.children = node.parent.children.filter(child => child !== node);
  }

  /** Makes the line that leads to a node the main line. */
  promote(node: Node) {
    for (const one of this.path(node)) {
      const siblings = one.parent!.children;
      siblings.splice(siblings.indexOf(one), 1);
      siblings.unshift(one);
    }
  }

  toPgn(): string {
    const headers = new Map(this.headers);
    if (this.startFen !== INITIAL_FEN) {
      headers.set('SetUp', '1');
      headers.set('FEN', this.startFen);
    }
    const moves = new PgnTree<PgnNodeData>();
    write(moves, this.root);
    return makePgn({ headers, comments: this.root.comment ? [this.root.comment] : [], moves } as Game<PgnNodeData>);
  }

  /** Takes over what another version of this game has and its common ancestor had not: what was edited here since then stays. */
  merge(base: Tree, theirs: Tree) {
    for (const [name, value] of theirs.headers) if (this.headers.get(name) === base.headers.get(name)) this.headers.set(name, value);
    const stack: [Node, Node | undefined, Node][] = [[this.root, base.root, theirs.root]];
    for (let top; (top = stack.pop());) {
      const [mine, before, other] = top;
      if (mine.comment === (before?.comment ?? '')) mine.comment = other.comment;
      if (`${mine.nags}` === `${before?.nags ?? ''}`) mine.nags = other.nags;
      mine.score = other.score ?? mine.score;
      for (const child of other.children) {
        const [ours, old] = [mine, before].map(node => node?.children.find(one => one.uci === child.uci));
        if (ours) stack.push([ours, old, child]);
        // What was deleted here since then stays deleted.
        else if (!old) stack.push([append(mine, child.move!), undefined, child]);
      }
    }
  }
}

const REASONS: Record<string, string> = {
  ERR_BOARD: 'the first field must have eight ranks of eight squares', ERR_TURN: 'the second field must be w or b',
  ERR_CASTLING: 'the third field must be castling rights, or -', ERR_EP_SQUARE: 'the fourth field must be a square, or -',
  ERR_HALFMOVES: 'the fifth field must be a number of half-moves', ERR_FULLMOVES: 'the sixth field must be the number of the move',
  ERR_FEN: 'it has more than six fields', ERR_EMPTY: 'the board is empty', ERR_KINGS: 'each side must have one king',
  ERR_OPPOSITE_CHECK: 'the side that is not to move is in check', ERR_PAWNS_ON_BACKRANK: 'a pawn stands on the first or last rank',
};

/** A position that was read from a FEN; what is wrong with it is an error. */
function legal(read: ReturnType<typeof startingPosition>): Position {
  return read.unwrap(position => position, ({ message }) => {
    const reason = REASONS[message] ?? message.replace(/^ERR_/, '').replace(/_/g, ' ').toLowerCase();
    throw new Error(`The FEN is not a legal position: ${reason}.`);
  });
}

function append(parent: Node, move: Move): Node {
  const position = parent.position.clone();
  position.play(move);
  const node = newNode(position, parent);
  Object.assign(node, { move, uci: makeUci(move), san: makeSan(parent.position, move) });
  parent.children.push(node);
  return node;
}

function read(parent: Node, source: PgnTree<PgnNodeData>) {
  // A stack, not recursion: a game may have thousands of moves.
  const stack: [Node, PgnTree<PgnNodeData>][] = [[parent, source]];
  for (let top; (top = stack.pop());) {
    const [node, from] = top;
    for (const child of from.children) {
      // A null move, which shows a threat in some variations (Z0 is read as one too). No board here makes it.
      if (child.data.san === '--') {
        node.comment = `${node.comment} A null move and what follows it are left out here.`.trim();
        continue;
      }
      const move = parseSan(node.position, child.data.san);
      if (!move) {
        const { fullmoves, turn } = node.position;
        const name = `Move ${fullmoves}${turn === 'white' ? '.' : '...'}`, { san } = child.data;
        throw new Error(UNREADABLE.test(san) ? `${name} (to ${san.slice(1)}) cannot be read: the men are K, Q, R, B and N.` : `${name} ${san} is not legal.`);
      }
      const added = append(node, move);
      added.nags = child.data.nags ?? [];
      const notes = (child.data.comments ?? []).map(parseComment);
      added.before = (child.data.startingComments ?? []).join(' ');
      const shapes = notes.flatMap(note => note.shapes);
      added.extras = { shapes, clock: notes.find(note => note.clock !== undefined)?.clock, emt: notes.find(note => note.emt !== undefined)?.emt };
      added.comment = notes.map(note => note.text).filter(Boolean).join(' ');
      const value = notes.find(note => note.evaluation)?.evaluation;
      if (value) added.score = isMate(value) ? { mate: value.mate } : { cp: Math.round(value.pawns * 100) };
      stack.push([added, child]);
    }
  }
}

function write(target: PgnTree<PgnNodeData>, source: Node) {
  const stack: [PgnTree<PgnNodeData>, Node][] = [[target, source]];
  for (let top; (top = stack.pop());) {
    const [to, node] = top;
    for (const child of node.children) {
      const { score } = child;
      const evaluation = !score ? undefined : 'mate' in score ? { mate: score.mate } : { pawns: score.cp / 100 };
      const comment = makeComment({ text: child.comment || undefined, evaluation, ...child.extras });
      const added = new ChildNode<PgnNodeData>({
        san: child.san, nags: child.nags.length ? child.nags : undefined, comments: comment ? [comment] : undefined,
        startingComments: child.before ? [child.before] : undefined,
      });
      to.children.push(added);
      stack.push([added, child]);
    }
  }
}
