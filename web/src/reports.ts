// The laboratory's reports: its pages, as they stand in the program, with their tables and pictures.
import * as api from './api';
import type { Board } from './board';
import { byId, element, isOpen, showStatus } from './dom';
import { render, type Links } from './markdown';
import type { Tree } from './tree';

/** The list of the others. */
export const FIRST = 'README.md';

export class Reports {
  tree!: Tree;
  private shown = '';
  private wanted = '';
  onShown: () => void = () => {};

  constructor(private board: Board, private names: string[]) {
    const choice = byId<HTMLSelectElement>('report-choice');
    choice.append(...names.map(name => new Option(name === FIRST ? 'all reports' : name.replace('.md', ''), name)));
    choice.onchange = () => void this.open(choice.value);
  }

  get address() { return this.wanted && this.wanted !== FIRST ? `#reports/${this.wanted}` : '#reports'; }

  play(): boolean { return false; }
  walk() {}

  show() {
    if (!isOpen('reports')) return;
    this.board.show({ position: this.tree.position, lastMove: this.tree.current.move });
    byId('status').textContent = 'What was measured, when, and by which command.';
    if (!this.wanted) void this.open(FIRST);
  }

  /** Shows a report, and goes to its beginning; where several are asked for, the last. */
  async open(name: string) {
    const page = byId('report');
    this.wanted = name;
    try {
      const text = await api.report(name);
      if (this.wanted !== name) return;
      const isFirst = !this.shown;
      page.replaceChildren(...render(text, this.links));
      this.shown = name;
      byId<HTMLSelectElement>('report-choice').value = name;
      this.onShown();
      // After a link the reader goes on at the new page.
      if (!isFirst) {
        page.focus();
        page.scrollIntoView();
      }
    } catch (error) {
      showStatus('reports', (error as Error).message);
    }
  }

  private links: Links = {
    link: (address, words) => {
      const [name] = address.split('#');
      if (this.names.includes(name)) {
        const link = element('a', { href: `#reports/${name}` }, ...words);
        link.onclick = event => { event.preventDefault(); void this.open(name); };
        return link;
      }
      if (/^https:\/\//.test(address)) return element('a', { href: address, target: '_blank', rel: 'noopener noreferrer' }, ...words);
      // Other pages of the documentation are not in the program.
      return element('span', {}, ...words);
    },
    // A click shows it in its own size.
    picture: (address, words) => {
      const source = `lab/${encodeURIComponent(address)}`;
      return element('a', { href: source, target: '_blank', rel: 'noopener' }, element('img', { src: source, alt: words, loading: 'lazy' }));
    },
  };
}
