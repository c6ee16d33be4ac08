// The moves of a game with its variations, to be read and clicked.
import { element } from './dom';
import { text } from './score';
import type { Node as GameNode, Tree } from './tree';

export const SIGNS: Record<number, [string, string]> = {
  1: ['!', ''], 2: ['?', 'mistake'], 3: ['!!', ''], 4: ['??', 'blunder'], 5: ['!?', ''], 6: ['?!', 'mistake'],
};
const WORDS: Record<number, string> = { 2: 'mistake', 4: 'blunder', 6: 'inaccuracy' };

export function showMoves(target: HTMLElement, tree: Tree, go: (node: GameNode) => void, scores: boolean) {
  let current: HTMLElement | undefined;
  const move = (node: GameNode) => {
    const sign = node.nags.map(nag => SIGNS[nag]).find(Boolean);
    const button = element('button', { type: 'button' }, node.san);
    if (sign) button.append(element('span', { className: sign[1] }, sign[0]));
    const word = node.nags.map(nag => WORDS[nag]).find(Boolean);
    if (word) button.title = word;
    if (scores && node.score) button.append(' ', element('span', { className: 'value' }, text(node.score)));
    if (node === tree.current) {
      button.setAttribute('aria-current', 'true');
      current = button;
    }
    button.onclick = () => go(node);
    return button;
  };
  const number = (parent: GameNode) =>
    element('span', { className: 'number' }, `${parent.position.fullmoves}${parent.position.turn === 'white' ? '.' : '…'}`);

  // The main line by a loop, variations by recursion.
  const line = (parent: GameNode, into: HTMLElement, first?: GameNode) => {
    let numbered = false;
    for (let at = parent, next = first ?? at.children[0]; next; at = next, next = at.children[0]) {
      const one = element('span', { className: 'one' });
      if (next.before) into.append(element('span', { className: 'note' }, next.before, ' '));
      if (!numbered || at.position.turn === 'white') one.append(number(at));
      numbered = true;
      one.append(move(next));
      into.append(one, ' ');
      if (next.comment) into.append(element('span', { className: 'note' }, next.comment, ' '));
      const others = next === at.children[0] ? at.children.slice(1) : [];
      for (const other of others) {
        const variation = element('div', { className: 'variation' });
        line(at, variation, other);
        into.append(variation);
        numbered = false;
      }
    }
  };
  // A move that was chosen by keyboard keeps the focus, although its button is made anew.
  const isHeld = target !== document.activeElement && target.contains(document.activeElement);
  target.replaceChildren();
  if (tree.root.comment) target.append(element('p', { className: 'note' }, tree.root.comment));
  line(tree.root, target);
  if (!tree.root.children.length) target.append(element('span', { className: 'note' }, 'No moves yet.'));
  if (isHeld) (current ?? target).focus({ preventScroll: true });
  if (current) target.scrollTop = current.offsetTop - target.clientHeight / 2;
}
