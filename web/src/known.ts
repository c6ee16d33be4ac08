// What the book, endgame tables and recognisers know about a position.
import type { Position } from 'chessops/chess';
import { parseSan } from 'chessops/san';
import type { Move } from 'chessops/types';
import type { Known } from './api';
import { element } from './dom';

/** Moves that are shown of each source. */
const MOST_MOVES = 12;

const mate = (plies: number | undefined) => plies ? ` in ${Math.ceil(plies / 2)}` : '';

/** Shows it, or hides the place where nothing is known. A move that is clicked is played. */
export function showKnown(target: HTMLElement, known: Known, position: Position, play: (move: Move) => void) {
  const line = (name: string, text: string, moves: [san: string, note: string][]) => element('p', {}, element('b', {}, `${name}: `), text,
    ...moves.slice(0, MOST_MOVES).flatMap(([san, note]) => [' ', element('span', { className: 'one' }, element('button', {
      type: 'button', onclick: () => { const move = parseSan(position, san); if (move) play(move); },
    }, san), element('span', { className: 'value' }, note))]));
  const lines: HTMLElement[] = [];
  if (known.book.length) lines.push(line('Book', '', known.book.map(one => [one.move, ` ${one.share.toFixed(0)} %`])));
  const { ending } = known;
  if (ending) {
    const moves = ending.moves.map((one): [string, string] => [one.move, ` ${one.value}${mate(one.plies_to_mate)}`]);
    const conversion = ending.moves_to_conversion ? `, conversion in ${ending.moves_to_conversion}` : '';
    if (ending.source === 'tables') lines.push(line('Tables', `${ending.value}${mate(ending.plies_to_mate)}${conversion}.`, moves));
    const distance = Math.abs(ending.syzygy?.distance ?? 0);
    const way = distance ? `, ${distance} half-move${distance === 1 ? '' : 's'} to the next capture or pawn move` : '';
    if (ending.syzygy) lines.push(line('Syzygy', `${ending.syzygy.value}${way}.`, ending.source === 'syzygy' ? moves : []));
    if (ending.recogniser) lines.push(line('Recognisers', `${ending.recogniser}.`, []));
  }
  target.replaceChildren(...lines);
  target.hidden = !lines.length;
}
