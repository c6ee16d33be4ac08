// The evaluation over the game, and the bar beside the board.
import { byId } from './dom';
import { type Score, chance, text, words } from './score';
import type { Node as GameNode, Tree } from './tree';

const [WIDTH, HEIGHT] = [400, 90];
const COLORS: Record<number, string> = { 4: '#d9534f', 2: '#e0952c', 6: '#e6c84f' };

const shape = (name: string, attributes: Record<string, string | number>) => {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, `${value}`);
  return made;
};

/** A mate on the board needs no evaluation in the file. */
export const valueOf = (node: GameNode): Score | undefined =>
  node.position.isCheckmate() ? { mate: node.position.turn === 'white' ? -1 : 1 } : node.score;

export function showGraph(tree: Tree, go: (node: GameNode) => void) {
  const graph = byId('graph') as unknown as SVGSVGElement;
  const nodes = [tree.root, ...tree.mainLine()];
  const known = nodes.map((node, index) => ({ node, index, score: valueOf(node)! })).filter(({ score }) => score);
  graph.toggleAttribute('hidden', known.length < 2);
  if (known.length < 2) return;
  const x = (index: number) => nodes.length > 1 ? index / (nodes.length - 1) * WIDTH : 0;
  const y = (score: Score) => (1 - chance(score)) * HEIGHT;
  const points = known.map(({ index, score }) => `${x(index)},${y(score)}`);
  const area = `${x(known[0].index)},${HEIGHT} ${points.join(' ')} ${x(known[known.length - 1].index)},${HEIGHT}`;
  const marks = known.flatMap(({ node, index, score }) => {
    const nag = node.nags.find(one => COLORS[one]);
    if (!nag) return [];
    // An ellipse looks like a dot although the picture is stretched.
    return [shape('ellipse', { cx: x(index), cy: y(score), rx: 2.5, ry: 3.5, fill: COLORS[nag] })];
  });
  const here = nodes.indexOf(tree.current);
  graph.replaceChildren(
    shape('polygon', { points: area, fill: '#f7f4ec' }),
    shape('line', { x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2, stroke: '#8d8b85', 'stroke-dasharray': '4 4' }),
    shape('polyline', { points: points.join(' '), fill: 'none', stroke: '#2f6b46', 'stroke-width': 1.5, 'vector-effect': 'non-scaling-stroke' }),
    ...marks,
    ...(here < 0 ? [] : [shape('line', { x1: x(here), x2: x(here), y1: 0, y2: HEIGHT, stroke: '#4a90d9', 'stroke-width': 2, 'vector-effect': 'non-scaling-stroke' })]),
  );
  graph.onclick = event => {
    const box = graph.getBoundingClientRect();
    go(nodes[Math.round((event.clientX - box.left) / box.width * (nodes.length - 1))]);
  };
  const last = known[known.length - 1].score;
  graph.setAttribute('aria-label', `Evaluation over the game, at the end ${text(last)}: ${words(last)}`);
}

export function showBar(score: Score | undefined, flipped: boolean) {
  const bar = byId('bar');
  const part = score ? chance(score) : 0.5;
  byId('bar-white').style.height = `${part * 100}%`;
  byId('bar-text').textContent = !score ? '' : 'mate' in score ? `#${Math.abs(score.mate)}` : (Math.abs(score.cp) / 100).toFixed(Math.abs(score.cp) < 10_000 ? 1 : 0);
  bar.classList.toggle('flipped', flipped);
  bar.classList.toggle('behind', part < 0.5);
}
