// Markdown as elements: headings, paragraphs, lists, tables, code and links, as our own pages use them. Nothing is taken as HTML.
import { element } from './dom';

/** What a link or a picture becomes; a link that leads nowhere is text. */
export interface Links {
  link: (address: string, words: (Node | string)[]) => Node;
  picture: (address: string, words: string) => Node;
}

const INLINE = /`([^`]+)`|!\[([^\]]*)\]\(([^)\s]+)\)|\[((?:[^\][]|\[[^\]]*\])*)\]\(([^)\s]+)\)|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*/;

/** A line of text with its code, links and emphasis. */
function inline(text: string, links: Links): (Node | string)[] {
  const found = INLINE.exec(text);
  if (!found) return text ? [text] : [];
  const [whole, code, picture, source, words, address, strong, emphasis] = found;
  const made = code !== undefined ? element('code', {}, code)
    : source ? links.picture(source, picture)
    : address ? links.link(address, inline(words, links))
    : strong ? element('strong', {}, ...inline(strong, links))
    : element('em', {}, ...inline(emphasis, links));
  const before = text.slice(0, found.index);
  return [...before ? [before] : [], made, ...inline(text.slice(found.index + whole.length), links)];
}

/** The cells of a row; `\|` is a bar inside one. */
const cells = (line: string) => line.trim().replace(/^\||\|$/g, '').split(/(?<!\\)\|/).map(cell => cell.trim().replace(/\\\|/g, '|'));

/** Its heads sort it. */
function table(lines: string[], links: Links): Node {
  const body = element('tbody', {}, ...lines.slice(2).map(line => element('tr', {}, ...cells(line).map(cell => element('td', {}, ...inline(cell, links))))));
  const heads = cells(lines[0]).map((cell, column) => {
    const head = element('th', { scope: 'col' });
    const button = element('button', { title: 'Sort by this column' }, ...inline(cell, links));
    button.onclick = () => {
      const down = head.getAttribute('aria-sort') !== 'descending';
      for (const other of heads) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      sort(body, column, down);
    };
    head.append(...cell ? [button] : []);
    return head;
  });
  const made = element('table', {}, element('thead', {}, element('tr', {}, ...heads)), body);
  return element('div', { className: 'scroll', tabIndex: 0, role: 'region', ariaLabel: `Table: ${cells(lines[0]).join(', ')}` }, made);
}

/** Numbers by their size, the rest by the alphabet. */
function sort(body: HTMLTableSectionElement, column: number, down: boolean) {
  const text = (row: HTMLTableRowElement) => row.cells[column]?.textContent ?? '';
  const number = (row: HTMLTableRowElement) => parseFloat(text(row).replace(/^[^\d+-]*/, '').replace(/(\d) (?=\d{3})/g, '$1').replace('−', '-'));
  const rows = [...body.rows].sort((one, other) => {
    const [a, b] = [number(one), number(other)];
    const order = isNaN(a) || isNaN(b) ? text(one).localeCompare(text(other)) : a - b;
    return down ? -order : order;
  });
  body.append(...rows);
}

/** The elements of a page. */
export function render(text: string, links: Links): Node[] {
  const lines = text.replace(/\r/g, '').split('\n');
  const made: Node[] = [];
  /** The lines from here on for which something holds. */
  const take = (holds: (line: string) => boolean) => {
    const taken: string[] = [];
    while (lines.length && holds(lines[0])) taken.push(lines.shift()!);
    return taken;
  };
  const isPlain = (line: string) => line.trim() !== '' && !/^(#|\||```|[-*] |\d+\. )/.test(line);
  while (lines.length) {
    const line = lines[0];
    if (line.startsWith('```')) {
      lines.shift();
      made.push(element('pre', { tabIndex: 0 }, take(one => !one.startsWith('```')).join('\n')));
      lines.shift();
    } else if (/^ {4}\S/.test(line)) made.push(element('pre', { tabIndex: 0 }, take(one => /^ {4}/.test(one)).map(one => one.slice(4)).join('\n')));
    else if (/^#+ /.test(line)) {
      const [, marks, words] = /^(#+) +(.*)/.exec(lines.shift()!)!;
      // The page has a head of the first order already.
      made.push(element(marks.length === 1 ? 'h2' : marks.length === 2 ? 'h3' : 'h4', {}, ...inline(words, links)));
    } else if (line.startsWith('|')) made.push(table(take(one => one.startsWith('|')), links));
    else if (/^([-*]|\d+\.) /.test(line)) {
      const items = take(one => /^([-*]|\d+\.) |^ +\S/.test(one)).reduce<string[]>((all, one) => {
        const item = /^(?:[-*]|\d+\.) (.*)/.exec(one);
        return item ? [...all, item[1]] : [...all.slice(0, -1), `${all[all.length - 1]} ${one.trim()}`];
      }, []);
      made.push(element(/^\d/.test(line) ? 'ol' : 'ul', {}, ...items.map(item => element('li', {}, ...inline(item, links)))));
    } else if (isPlain(line)) made.push(element('p', {}, ...inline(take(isPlain).join(' '), links)));
    else lines.shift();
  }
  return made;
}
