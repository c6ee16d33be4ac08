// Texts that are not PGN: a FEN, or lines of FEN or EPD.

/** What is meant as the board of a FEN, with the right number of squares or not. */
const BOARD = /^[1-9pnbrqk]+(\/[1-9pnbrqk]+){2,}(\s|$)/i;

/** A text as PGN: each line that is a position becomes a game without moves. */
export function asPgn(source: string): string {
  const lines = source.split('\n').map(line => line.trim()).filter(Boolean);
  return lines.length && lines.every(line => BOARD.test(line)) ? lines.map(asGame).join('\n\n') : source;
}

/** What EPD says of a position becomes its comment, and its id the name. */
function asGame(line: string): string {
  const fields = line.split(/\s+/);
  const counts = fields.slice(4, 6).every(field => /^\d+$/.test(field)) ? fields.slice(4, 6) : [];
  const fen = [...fields.slice(0, 4), ...counts].join(' ');
  const operations = fields.slice(4 + counts.length).join(' ').replace(/[{}]/g, '');
  const id = /\bid "([^"]*)"/.exec(operations)?.[1];
  return `${id ? `[Event "${id}"]\n` : ''}[SetUp "1"]\n[FEN "${fen.replace(/"/g, '')}"]\n\n${operations ? `{${operations}} ` : ''}*`;
}
