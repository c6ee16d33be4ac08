// Small drawings of trees, for the tours.
import type { State, Twig } from './tours';

const SPACE = 'http://www.w3.org/2000/svg';
const [STEP_X, STEP_Y, RADIUS] = [58, 48, 17];
const PAINT: Record<State, [fill: string, ink: string]> = {
  open: ['none', 'currentColor'], search: ['#237a4b', '#fff'], wait: ['#b33a32', '#fff'], done: ['#3a62a8', '#fff'], cut: ['none', 'currentColor'],
};

function shape(name: string, attributes: Record<string, string | number>, text = ''): SVGElement {
  const made = document.createElementNS(SPACE, name) as SVGElement;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, `${value}`);
  made.textContent = text;
  return made;
}

/** Draws a tree; the caption is what those hear who do not see it. */
export function drawTree(root: Twig, caption: string): SVGElement {
  const shapes: SVGElement[] = [];
  let leaves = 0, deepest = 0;
  const place = ([state, label, ...children]: Twig, level: number): { x: number; y: number } => {
    deepest = Math.max(deepest, level);
    const y = level * STEP_Y + RADIUS + 3;
    const below = children.map(child => place(child as Twig, level + 1));
    const x = below.length ? (below[0].x + below[below.length - 1].x) / 2 : (leaves++ + 0.5) * STEP_X;
    const [fill, ink] = PAINT[state];
    for (const child of below) shapes.unshift(shape('line', { x1: x, y1: y, x2: child.x, y2: child.y, stroke: 'currentColor', 'stroke-opacity': 0.5 }));
    // A white or black disc hides the line behind an empty node.
    shapes.push(shape('circle', { cx: x, cy: y, r: RADIUS, class: 'behind' }));
    shapes.push(shape('circle', { cx: x, cy: y, r: RADIUS, fill, stroke: 'currentColor', 'stroke-dasharray': state === 'open' ? '3 3' : 'none' }));
    if (state === 'cut') shapes.push(shape('path', { d: `M${x - 8} ${y - 8}l16 16m0 -16l-16 16`, stroke: ink, 'stroke-width': 2 }));
    if (label) shapes.push(shape('text', { x, y: y + 4, fill: ink, 'text-anchor': 'middle', 'font-size': label.length > 3 ? 9 : 12 }, label));
    return { x, y };
  };
  place(root, 0);
  const [width, height] = [leaves * STEP_X, deepest * STEP_Y + 2 * RADIUS + 6];
  const picture = shape('svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': caption, class: 'twigs' });
  picture.append(...shapes);
  return picture;
}
