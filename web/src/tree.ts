// A game as a tree: positions, moves, variations, notes. The rules are those of chessops.
import { Chess, normalizeMove, type Position } from 'chessops/chess';
import { INITIAL_FEN, makeFen, parseFen } from 'chessops/fen';
import {
  ChildNode, type Game, Node as PgnTree, type PgnNodeData, isMate, makeComment, makePgn, parseComment, parsePgn,
  startingPosition,
} from 'chessops/pgn';
import { makeSan, parseSan } from 'chessops/san';
import { type Move, isNormal } from 'chessops/types';
import { makeUci, parseUci } from 'chessops/util';
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
}

/** The text of a position without its move counters: what repetition compares. */
const placement = (position: Position) => makeFen(position.toSetup()).split(' ').slice(0, 4).join(' ');

const newNode = (position: Position, parent?: Node): Node =>
  ({ parent, children: [], position, uci: '', san: '', nags: [], comment: '' });

export class Tree {
  current: Node;
  headers = new Map<string, string>();

  constructor(readonly root: Node) {
    this.current = root;
  }

  static fromFen(fen: string): Tree {
    const setup = parseFen(fen.trim()).unwrap(
      value => value, error => { throw new Error(`This is no FEN: ${reason(error)}`); });
    const position = Chess.fromSetup(setup).unwrap(
      value => value, error => { throw new Error(`Not a legal position: ${reason(error)}`); });
    return new Tree(newNode(position));
  }

  static start = () => Tree.fromFen(INITIAL_FEN);

  /** Reads the first game of a text. */
  static fromPgn(text: string): Tree { return Tree.fromGame(parsePgn(text)[0]); }

  /** A move that is not legal is an error which names it. */
  static fromGame(game?: Game<PgnNodeData>): Tree {
    if (!game) throw new Error('There is no game in this text.');
    const start = startingPosition(game.headers).unwrap(
      value => value, error => { throw new Error(`The game's FEN: ${reason(error)}`); });
    if (start.rules !== 'chess') throw new Error(`Rookery does not play ${start.rules}.`);
    const tree = new Tree(newNode(start));
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

  /** A move as people write it: `e4`, `Nf3`, `e2e4`, `e2-e4`, `0-0`. */
  read(text: string): Move | undefined {
    const plain = text.trim().replace(/[-\s](?=[a-h][1-8])/, '').replace(/0/g, 'O').replace(/^o-o(-o)?$/i, word => word.toUpperCase());
    const candidates = [parseUci(plain.toLowerCase()), parseSan(this.position, plain),
      parseSan(this.position, plain[0]?.toUpperCase() + plain.slice(1))];
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
}

const reason = (error: Error) => error.message.replace(/^ERR_/, '').replace(/_/g, ' ').toLowerCase();

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
      const move = parseSan(node.position, child.data.san);
      if (!move) {
        const { fullmoves, turn } = node.position;
        throw new Error(`Move ${fullmoves}${turn === 'white' ? '.' : '...'} ${child.data.san} is not legal.`);
      }
      const added = append(node, move);
      added.nags = child.data.nags ?? [];
      const notes = [...(child.data.startingComments ?? []), ...(child.data.comments ?? [])].map(parseComment);
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
      const comment = makeComment({ text: child.comment, evaluation });
      const added = new ChildNode<PgnNodeData>(
        { san: child.san, nags: child.nags.length ? child.nags : undefined, comments: comment ? [comment] : undefined });
      to.children.push(added);
      stack.push([added, child]);
    }
  }
}
