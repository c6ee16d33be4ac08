// Small helpers for elements.

export const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K, properties: Partial<HTMLElementTagNameMap[K]> = {}, ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** Whether this is what the page shows: what comes late must not draw over another mode. */
export const isOpen = (mode: string) => document.body.dataset.mode === mode;

/** Says what a mode does, while it is open. */
export function showStatus(mode: string, text: string) {
  if (isOpen(mode)) byId('status').textContent = text;
}

export const onClick = (id: string, action: () => void) => byId(id).addEventListener('click', action);

/** Gives an element the children of another one. Nodes that only change their words stay: the focus, and a click that has begun, are not lost. */
export function adopt(target: Element, made: Element) {
  for (const { name, value } of made.attributes) target.setAttribute(name, value);
  const wanted = [...made.childNodes];
  wanted.forEach((child, index) => {
    const old = target.childNodes[index];
    if (!old) target.append(child);
    else if (old.nodeName !== child.nodeName) old.replaceWith(child);
    else if (old instanceof Element) adopt(old, child as Element);
    else if (old.nodeValue !== child.nodeValue) old.nodeValue = child.nodeValue;
  });
  while (target.childNodes.length > wanted.length) target.lastChild!.remove();
}

/** What the browser has kept; nothing where it may keep nothing. */
export function kept(where: 'localStorage' | 'sessionStorage', name: string): string | null {
  try {
    return window[where].getItem(name);
  } catch {
    return null;
  }
}

/** Lets the browser keep a text, where it may and has room for it; otherwise what was kept before goes. */
export function keep(where: 'localStorage' | 'sessionStorage', name: string, text: string) {
  try {
    window[where].removeItem(name);
    window[where].setItem(name, text);
  } catch {
    // The page works without.
  }
}

/** Saves a text as a file. */
export function download(name: string, text: string) {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/x-chess-pgn' }));
  element('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
