// Texts that are not PGN as the library reads it: a FEN, lines of FEN or EPD, moves with figurines or foreign letters.

/** What is meant as the board of a FEN, with the right number of squares or not. */
const BOARD = /^[1-9pnbrqk]+(\/[1-9pnbrqk]+){2,}(\s|$)/i;

/** A text as PGN: each line that is a position becomes a game without moves. */
export function asPgn(source: string): string {
  const lines = source.split('\n').map(line => line.trim().replace(/^(position )?fen /i, '').replace(/^"(.*)"$/, '$1')).filter(Boolean);
  return lines.length && lines.every(line => BOARD.test(line)) ? lines.map(asGame).join('\n\n') : spelled(source);
}

/** Comments, what is escaped, and the lines of tags: all that is no word of the moves; or such a word. */
const PARTS = /\{[^}]*\}?|;.*|^%.*|^[^\S\n]*\[.*|[^\s{}();]+/gm;
const FIGURINES = '♔K♕Q♖R♗B♘N♚K♛Q♜R♝B♞N';
/** What the library takes for a move, wherever it stands in a word. */
const MOVE = /[NBKRQ]?[a-h]?[1-8]?[-x]?[a-h][1-8]/;

/**
 * Moves with figurines, in English letters. A move with another letter before it (`Sf3`, a knight in German) would be
 * read as a pawn's: it becomes `@f3`, which `UNREADABLE` knows.
 */
function spelled(pgn: string): string {
  return pgn.replace(PARTS, word => {
    if (/^\s*[{;%[]/.test(word)) return word;
    const plain = word.replace(/[♔♕♖♗♘♚♛♜♝♞]/g, man => FIGURINES[FIGURINES.indexOf(man) + 1]).replace(/[♙♟\ufe0e\ufe0f]/g, '');
    const [number] = /^[\d.…]*/.exec(plain)!;
    const rest = plain.slice(number.length), at = rest.search(MOVE);
    return at > 0 && /\p{L}/u.test(rest.slice(0, at)) ? `${number}@${/[a-h][1-8]/.exec(rest.slice(at))![0]}` : plain;
  });
}

/** A move of which only the square was understood. */
export const UNREADABLE = /^@/;

/** What EPD says of a position becomes its comment, and its id the name. */
function asGame(line: string): string {
  const fields = line.split(/\s+/);
  const counts = fields.slice(4, 6).every(field => /^\d+$/.test(field)) ? fields.slice(4, 6) : [];
  const fen = [...fields.slice(0, 4), ...counts].join(' ');
  const operations = fields.slice(4 + counts.length).join(' ').replace(/[{}]/g, '');
  const id = /\bid "([^"]*)"/.exec(operations)?.[1];
  return `${id ? `[Event "${id}"]\n` : ''}[SetUp "1"]\n[FEN "${fen.replace(/"/g, '')}"]\n\n${operations ? `{${operations}} ` : ''}*`;
}
