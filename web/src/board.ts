// The board that is seen: chessground, the choice of a promotion, sounds.
import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import type { Position } from 'chessops/chess';
import { chessgroundDests, chessgroundMove } from 'chessops/compat';
import { makeFen } from 'chessops/fen';
import type { Color, Move, NormalMove, Role } from 'chessops/types';
import { opposite, parseSquare, squareRank } from 'chessops/util';
import { byId, element } from './dom';
import { described } from './speech';

export interface View {
  position: Position;
  lastMove?: Move;
  /** The side whose men may be moved; neither's where it is left out. */
  movable?: Color | 'both';
  shapes?: DrawShape[];
}

const CHOICES: Role[] = ['queen', 'knight', 'rook', 'bishop'];

export class Board {
  private ground: Api;
  private position?: Position;
  private drawn: DrawShape[] = [];
  orientation: Color = 'white';
  sounds = false;
  onMove: (move: NormalMove) => void = () => {};
  /** A move was begun and not finished: the board must be shown again. */
  onCancel: () => void = () => {};

  constructor() {
    this.ground = Chessground(byId('board'), {
      highlight: { lastMove: true, check: true },
      animation: { duration: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 180 },
      movable: { free: false, events: { after: (from, to) => void this.moved(from, to) } },
      premovable: { enabled: true },
      drawable: { enabled: true },
    });
    byId('board').setAttribute('aria-hidden', 'true');
    new ResizeObserver(() => this.resized()).observe(byId('board'));
  }

  /** A hidden board has no size to draw arrows by: they are drawn when it is seen again. */
  private get isVisible() { return byId('board').clientWidth > 0; }

  private resized() {
    if (!this.isVisible) return;
    this.ground.redrawAll();
    this.ground.setAutoShapes(this.drawn);
  }

  show(view: View) {
    const { position, lastMove, movable } = view;
    const changed = !this.position || makeFen(this.position.toSetup()) !== makeFen(position.toSetup());
    this.position = position;
    this.drawn = view.shapes ?? [];
    const theirTurn = movable === 'both' || movable === position.turn;
    this.ground.set({
      fen: makeFen(position.toSetup()),
      orientation: this.orientation,
      turnColor: position.turn,
      check: position.isCheck(),
      lastMove: lastMove ? chessgroundMove(lastMove) as Key[] : [],
      movable: {
        color: movable,
        dests: theirTurn ? chessgroundDests(position) as Map<Key, Key[]> : new Map(),
      },
      drawable: { autoShapes: this.isVisible ? this.drawn : [] },
    });
    byId('position').textContent = described(position);
    if (changed && lastMove && this.sounds) tick();
    // A move that was made ahead, now that it is the player's turn.
    if (theirTurn && movable !== 'both') this.ground.playPremove();
  }

  shapes(shapes: DrawShape[]) {
    this.drawn = shapes;
    if (this.isVisible) this.ground.setAutoShapes(shapes);
  }

  flip() {
    this.orientation = opposite(this.orientation);
    this.ground.set({ orientation: this.orientation });
  }

  cancelPremove() { this.ground.cancelPremove(); }

  private async moved(from: Key, to: Key) {
    const move: NormalMove = { from: parseSquare(from)!, to: parseSquare(to)! };
    const { position } = this;
    if (!position) return;
    const isPawn = position.board.get(move.from)?.role === 'pawn';
    if (isPawn && [0, 7].includes(squareRank(move.to))) {
      move.promotion = await choose(position.turn);
      if (!move.promotion || this.position !== position) return this.onCancel();
    }
    this.onMove(move);
  }
}

/** Asks what a pawn becomes; nothing where the player has changed his mind. */
function choose(color: Color): Promise<Role | undefined> {
  const dialog = byId<HTMLDialogElement>('promotion');
  dialog.returnValue = '';
  byId('promotion-choices').replaceChildren(...CHOICES.map(role => element('button', {
    className: `cg-wrap promotion ${color} ${role}`, value: role, ariaLabel: role,
  }, element('span', { className: 'piece-holder' }, Object.assign(document.createElement('piece'), { className: `${color} ${role}` })))));
  dialog.showModal();
  return new Promise(resolve =>
    dialog.addEventListener('close', () => resolve((dialog.returnValue || undefined) as Role | undefined), { once: true }));
}

let audio: AudioContext | undefined;
/** A short knock, made on the spot. */
function tick() {
  audio ??= new AudioContext();
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  tone.frequency.value = 220;
  volume.gain.setValueAtTime(0.2, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.09);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.1);
}
