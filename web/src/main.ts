// The page: what can be done with the board, the keys, what is dropped or typed.
import './style.css';
import { Analyse } from './analyse';
import * as api from './api';
import { Board } from './board';
import { byId, element, keep, kept, onClick } from './dom';
import { Play } from './play';
import { FIRST, Reports } from './reports';
import { described, say } from './speech';
import { Watch } from './watch';
import { type Node as GameNode, Tree } from './tree';

type Mode = 'play' | 'analyse' | 'watch' | 'reports';
type Step = (tree: Tree, node: GameNode) => GameNode | undefined;

/** A dropped file is read up to here; the server takes no more either. */
const LARGEST_FILE = 1 << 20;

const STEPS: Record<string, Step> = {
  first: tree => tree.root,
  back: (_, node) => node.parent,
  forward: (_, node) => node.children[0],
  last: (_, node) => { let at = node; while (at.children[0]) at = at.children[0]; return at; },
};
const KEYS: Record<string, string> = { Home: 'first', ArrowLeft: 'back', ArrowRight: 'forward', End: 'last', ArrowUp: 'first', ArrowDown: 'last' };

const board = new Board();
api.onConnection(connected => { byId('connection').hidden = connected; });
const info = await api.info();
byId('version').textContent = info.version;
const play = new Play(board, info.levels);
const analyse = new Analyse(board, info);
const watch = new Watch(board, info);
const reports = new Reports(board, info.reports);
const modes = { play, analyse, watch, reports };
let mode: Mode = 'play';
api.onConnection(connected => {
  byId('connection').hidden = connected;
  play.wait(!connected);
});

/** What the address asks for: a mode, and perhaps a report. */
const address = () => location.hash.slice(1).split('/') as [Mode, string?];

/** Notes where the reader has gone, so that the browser's way back leads there. An address that asks for no mode is none to go back to. */
function note(hash: string) {
  if (!modes[address()[0]]) history.replaceState(null, '', hash);
  else if (location.hash !== hash) history.pushState(null, '', hash);
}

/** Goes where the address says. */
function follow() {
  const [wanted, report] = address();
  const known = wanted === 'reports' && info.reports.includes(report ?? FIRST);
  if (known) void reports.open(report ?? FIRST);
  enter(modes[wanted] ? wanted : 'play');
}

function enter(next: Mode) {
  mode = next;
  complain('');
  byId('status').ariaLive = 'polite';
  document.body.dataset.mode = next;
  for (const name of Object.keys(modes)) byId(`mode-${name}`).setAttribute('aria-pressed', `${name === next}`);
  if (address()[0] !== next) note(next === 'reports' ? reports.address : `#${next}`);
  if (next !== 'play') play.leave();
  if (next !== 'analyse') analyse.leave();
  if (next !== 'watch') watch.leave();
  // What is watched is the position of the analysis.
  watch.tree = reports.tree = analyse.tree;
  if (next === 'analyse') analyse.restart();
  else modes[next].show();
}

board.onCancel = () => modes[mode].show();
board.onMove = move => {
  complain('');
  if (!modes[mode].play(move)) modes[mode].show();
};
// A copy: what is tried in the analysis does not change the game.
play.onStudy = tree => { analyse.open(Tree.fromPgn(tree.toPgn())); enter('analyse'); };
play.otherFen = () => analyse.tree.fen;
reports.onShown = () => { if (mode === 'reports') note(reports.address); };
addEventListener('popstate', follow);
analyse.onPlay = fen => { enter('play'); play.start(fen); };
onClick('mode-play', () => enter('play'));
onClick('mode-analyse', () => enter('analyse'));
onClick('mode-watch', () => enter('watch'));
onClick('mode-reports', () => enter('reports'));
onClick('flip', () => { board.flip(); modes[mode].show(); });
onClick('describe', () => say(described(modes[mode].tree.position) + (mode === 'analyse' ? analyse.opinion : '')));
for (const [id, step] of Object.entries(STEPS)) onClick(id, () => modes[mode].walk(step));

byId('move-form').addEventListener('submit', event => {
  event.preventDefault();
  const field = byId<HTMLInputElement>('move-text');
  const move = modes[mode].tree.read(field.value);
  const played = move && modes[mode].play(move);
  complain(played ? '' : why(field.value.trim()));
  if (played) field.value = '';
});
byId('move-text').addEventListener('input', () => complain(''));

/** Says below the field why a move is not played: the status changes while the engine thinks. */
function complain(reason: string) {
  byId('move-error').textContent = reason;
  if (reason) say(reason);
}

/** Why what was typed is not played. */
function why(typed: string): string {
  if (mode === 'play' && play.refusal) return play.refusal;
  if (!typed) return 'Type a move: e4, Nf3, e2e4.';
  const promotes = modes[mode].tree.read(`${typed}=Q`) ?? modes[mode].tree.read(`${typed}q`);
  return promotes ? `Say what the pawn becomes: ${typed}=Q.` : `${typed} is no legal move here.`;
}

document.addEventListener('keydown', event => {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.altKey || event.metaKey || target.closest('input, textarea, select, dialog')) return;
  if (KEYS[event.key] && (mode === 'play' || mode === 'analyse')) modes[mode].walk(STEPS[KEYS[event.key]]);
  else if (event.key === 'f') byId('flip').click();
  else if (event.key === 'm') byId('move-text').focus();
  else return;
  event.preventDefault();
});

async function openFile(file: File) {
  enter('analyse');
  const text = decoded(await file.slice(0, LARGEST_FILE).arrayBuffer());
  if (analyse.load(text) && file.size > LARGEST_FILE) analyse.complain(`Only the first megabyte of ${file.name} was read.`);
}

/** UTF-8, or else the usual alphabet of old files. The end of a part may be half a letter. */
function decoded(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

document.addEventListener('dragover', event => event.preventDefault());
document.addEventListener('drop', async event => {
  const file = event.dataTransfer?.files[0];
  const dropped = event.dataTransfer?.getData('text/plain');
  if (!file && !dropped) return;
  event.preventDefault();
  if (file) return openFile(file);
  enter('analyse');
  analyse.load(dropped!);
});
byId<HTMLInputElement>('load-file').addEventListener('change', event => {
  const [file] = (event.target as HTMLInputElement).files ?? [];
  if (file) void openFile(file);
});
// The same file again is a change too.
byId('load-file').addEventListener('click', event => { (event.target as HTMLInputElement).value = ''; });
document.addEventListener('paste', event => {
  if ((event.target as HTMLElement).closest('input, textarea')) return;
  enter('analyse');
  analyse.load(event.clipboardData?.getData('text/plain') ?? '');
});

const THEMES = ['auto', 'light', 'dark'];
let theme = kept('localStorage', 'theme') ?? 'auto';
function setTheme(wanted: string) {
  theme = wanted;
  keep('localStorage', 'theme', theme);
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  byId('theme').replaceChildren(element('span', {}, 'Theme: '), theme);
}
setTheme(THEMES.includes(theme) ? theme : 'auto');
onClick('theme', () => setTheme(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]));
onClick('sounds', () => {
  board.sounds = !board.sounds;
  byId('sounds').setAttribute('aria-pressed', `${board.sounds}`);
});

follow();
document.body.dataset.ready = 'true';
performance.mark('ready');
