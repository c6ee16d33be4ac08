// For those who do not see the board: moves and positions in words, said through a live region.
import type { Position } from 'chessops/chess';
import { type Color, ROLES } from 'chessops/types';
import { makeSquare } from 'chessops/util';

const NAMES: Record<string, string> = { K: 'king', Q: 'queen', R: 'rook', B: 'bishop', N: 'knight' };

/** `Nxe5+` as `knight takes e5, check`. */
export function spoken(san: string): string {
  const end = san.endsWith('#') ? ', checkmate' : san.endsWith('+') ? ', check' : '';
  const bare = san.replace(/[+#]$/, '');
  if (bare === 'O-O') return `castles short${end}`;
  if (bare === 'O-O-O') return `castles long${end}`;
  const [move, promotion] = bare.split('=');
  const words = move.replace(/^[KQRBN]/, letter => `${NAMES[letter]} `).replace('x', ' takes ').replace(/\s+/g, ' ');
  return `${words.trim()}${promotion ? `, promotes to ${NAMES[promotion]}` : ''}${end}`;
}

/** All men of a position, side by side. */
export function described(position: Position): string {
  const side = (color: Color) => {
    const men = [...ROLES].reverse().flatMap(role => {
      const squares = [...position.board.pieces(color, role)].map(makeSquare);
      return squares.length ? [`${role}${squares.length > 1 ? 's' : ''} ${squares.join(' ')}`] : [];
    });
    return `${color === 'white' ? 'White' : 'Black'}: ${men.join(', ')}.`;
  };
  const turn = position.turn === 'white' ? 'White' : 'Black';
  return `${side('white')} ${side('black')} ${turn} to move${position.isCheck() ? ', in check' : ''}.`;
}

/** Says something. The same words twice are said twice. */
export function say(text: string) {
  const region = document.getElementById('announcements')!;
  const line = document.createElement('p');
  line.textContent = text;
  region.append(line);
  while (region.children.length > 8) region.firstChild!.remove();
}
