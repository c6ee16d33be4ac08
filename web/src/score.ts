// Scores, all from White's view, and how they are shown.

export type Score = { cp: number } | { mate: number };

/** From here on a score stands for an ending that is known to be won. */
const KNOWN_WIN = 10_000;

export const text = (score: Score) =>
  'mate' in score ? `#${score.mate}`
    : `${score.cp < 0 ? '−' : '+'}${(Math.abs(score.cp) / 100).toFixed(Math.abs(score.cp) < KNOWN_WIN ? 2 : 0)}`;

/** White's chance to win, from 0 to 1: the curve that `rookery analyse` uses. */
export const chance = (score: Score) =>
  'mate' in score ? (score.mate > 0 ? 1 : 0) : 1 / (1 + Math.exp(-0.00368208 * Math.max(-1000, Math.min(1000, score.cp))));

export const words = (score: Score) => {
  const side = ('mate' in score ? score.mate : score.cp) > 0 ? 'White' : 'Black';
  if ('mate' in score) return `${side} mates in ${Math.abs(score.mate)}`;
  const value = Math.abs(score.cp);
  if (value >= KNOWN_WIN) return `${side} wins: the ending is known`;
  if (value < 25) return 'the game is even';
  return `${side} is ${value < 75 ? 'slightly better' : value < 200 ? 'better' : 'winning'}`;
};

export const count = (number: number) =>
  number >= 1e9 ? `${(number / 1e9).toFixed(2)} G` : number >= 1e6 ? `${(number / 1e6).toFixed(1)} M`
    : number >= 1e4 ? `${Math.round(number / 1e3)} k` : `${number}`;
