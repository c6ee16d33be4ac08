// Guided tours: a parallel search explained in ten steps, each at a moment of a simulated run. Every number is the run's own.
import type { Simulation } from './api';

export type State = 'open' | 'search' | 'wait' | 'done' | 'cut';
/** A node of a drawn tree: its state, what stands in it, its children. */
export type Twig = [State, string, ...Twig[]];

export interface Step {
  title: string;
  text: (run: Simulation, other: Simulation) => string;
  /** The column to be shown; the one of the step before unless given. */
  at?: (run: Simulation) => number;
  tree?: Twig;
  /** The tree in words. */
  caption?: string;
  /** A second strategy beside the first. */
  beside?: string;
}

export interface Tour { id: string; name: string; strategy: string; machine: string; processors: number; depth: number; steps: Step[] }

/** A quiet, well-known middlegame: the search of it has nothing odd. */
export const PLACE = { fen: 'r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R w KQkq - 0 5', moves: [] };

const total = (run: Simulation, kind: string) => (run.messages[kind] ?? []).reduce((sum, number) => sum + number, 0);
const first = (kind: string) => (run: Simulation) => Math.max(0, (run.messages[kind] ?? []).findIndex(number => number > 0));
const most = (value: (run: Simulation, column: number) => number) => (run: Simulation) => {
  let best = 0;
  for (let column = 1; column < run.columns; column++) if (value(run, column) > value(run, best)) best = column;
  return best;
};
const doing = (kinds: string) => (run: Simulation, column: number) => run.rows.filter(row => kinds.includes(row[column])).length;
const helpers = (run: Simulation, column: number) => run.owners.filter(row => row[column] >= 0).length;
const last = (run: Simulation) => run.columns - 1;
const percent = (part: number) => `${(part * 100).toFixed(0)} %`;
const times = (run: Simulation, kind: string, what: string) => {
  const number = total(run, kind);
  return number ? `It happened ${number === 1 ? 'once' : `${number} times`} in this run.` : `In this run ${what}.`;
};
const bill = (run: Simulation) =>
  `${run.processors} processors were ${run.speedup.toFixed(1)} times as fast as one. They worked ${percent(run.load)} of the time, `
  + `and ${run.overhead >= 0 ? `searched ${percent(run.overhead)} more` : `searched ${percent(-run.overhead)} fewer`} nodes than one processor does.`;
const sum = (run: Simulation) => Object.keys(run.messages).reduce((all, kind) => all + total(run, kind), 0);

const youngBrothers: Tour = {
  id: 'ybw', name: 'Young brothers wait', strategy: 'ybw', machine: 't805', processors: 16, depth: 5,
  steps: [
    { title: 'One begins alone', at: () => 0,
      text: run => `The first processor gets the root and searches it like any chess program. The other ${run.processors - 1} have nothing to do yet. Each row of the map is a processor, and time goes to the right.` },
    { title: 'The idle ones ask', at: first('request'),
      text: run => `No processor gives work away unasked. An idle processor asks another one, chosen by chance. One that has nothing to give passes the request on; after a few hops it comes back refused. ${times(run, 'refused', 'no request was refused')}` },
    { title: 'The eldest goes first', tree: ['search', 'P0', ['search', '1'], ['wait', '2'], ['wait', '3'], ['wait', '4']],
      caption: 'A node with four children: the first is searched, the other three wait.',
      text: () => 'Which sibling may be given away? The value of the first child is the bound by which alpha-beta cuts off the others. Searched before it is known, they would cost far more nodes. So the young brothers wait for the eldest: that is the name of the strategy.' },
    { title: 'The split', at: first('work'), tree: ['search', 'P0', ['done', '1'], ['search', '2'], ['search', 'P5'], ['open', '4']],
      caption: 'The first child is done. The owner searches the second child, a helper the third.',
      text: () => 'The first child is done, and a request is there: the processor splits off a sibling, the one nearest to the root, and sends it away. It is the owner of that job now, the other one its helper. The lower picture shows each helper below its owner.' },
    { title: 'Not every node is worth it', tree: ['open', '', ['search', '1', ['done', '2'], ['cut', '']], ['open', '2', ['search', '3'], ['search', '3']]],
      caption: 'Below a node where a cut-off is expected the siblings are cut; below one where none is expected all are searched side by side.',
      text: () => 'Where a cut-off is expected, a sibling searched ahead is most likely wasted: there the captures, killers and one more move must fail first. Where none is expected, all children must be searched anyway: they are free as soon as the first has begun. On the principal variation they wait for the first child.' },
    { title: 'Helpers have helpers', at: most(helpers),
      text: run => `Every processor can be owner and helper at once. At this moment ${helpers(run, most(helpers)(run))} of ${run.processors} work for another one, some of them for a helper of a helper.` },
    { title: 'Values come home', at: first('return'),
      text: run => `A helper sends its value to its owner, and the same message asks for more work. The relation lasts for one job only. ${times(run, 'return', 'no job ended before the search')}` },
    { title: 'Bad news travels fast', at: first('cancel'),
      text: run => `A value that is good enough cuts the node off: what its helpers do is useless now, and they are told to stop. ${times(run, 'cancel', 'no job was called off')} When the bound only rises, helpers with open windows are told the narrower one: ${total(run, 'narrow')} times here.` },
    { title: 'Those who wait help', at: most(doing('3')),
      text: run => `An owner with nothing left to do waits for its helpers. It asks them for work meanwhile, but only for work from inside what it waits for. Work from anywhere else could make two processors wait for each other for ever. Now ${doing('3')(run, most(doing('3'))(run))} wait for helpers.` },
    { title: 'The bill', at: last,
      text: run => `${bill(run)} Speedup is processors × load × performance / (1 + overhead): every moment of every processor is in one of these.` },
  ],
};

const teams: Tour = {
  id: 'teams', name: 'Teams', strategy: 'teams', machine: 'ncube', processors: 16, depth: 5,
  steps: [
    { title: 'One captain, one team', at: () => 0,
      text: run => `The whole machine is one team: processor 0 is its captain, the other ${run.processors - 1} are its members. No processor has to ask for work: it is given from above.` },
    { title: 'Down the tree together', tree: ['search', 'all', ['search', 'all', ['search', 'all', ['open', ''], ['open', '']], ['open', '']], ['open', '']],
      caption: 'All members go down the left-most line with their captain.',
      text: () => 'The captain walks down the expected best line with its members along, until it comes to a node whose children may be searched side by side.' },
    { title: 'The table decides', tree: ['search', '', ['search', '1'], ['wait', '2'], ['wait', '3']],
      caption: 'The table names a move: it is searched first, the siblings wait.',
      text: () => 'If the transposition table names a move for the node, the captain goes down that move itself first. If it names none, the children are given away at once: with good ordering such a node is one where every child must be searched.' },
    { title: 'The team divides', at: first('team'), tree: ['search', 'P0', ['done', '1'], ['search', 'P1–5'], ['search', 'P6–10'], ['search', 'P11–15']],
      caption: 'The first child is done; three teams search the next three children.',
      text: () => 'The captain divides its members into teams, each with a captain of its own, and gives each of them a child. The message names the members, so a processor knows no more of the machine than its own helpers.' },
    { title: 'Teams in teams', at: most(helpers),
      text: run => `The same happens in each of them: a captain with members divides them again. At this moment ${helpers(run, most(helpers)(run))} processors are captains below another one. A captain without members searches like a sequential program.` },
    { title: 'A value frees a whole team', at: first('return'),
      text: run => `A captain sends its value up, and it and its members are free again for the next child. The hierarchy is built anew for each job. ${times(run, 'return', 'no team ended before the search')}` },
    { title: 'Elastic teams', at: first('join'),
      text: run => `In the paper of 1988 teams are fixed, and members of a team with little to do stand idle. Here a captain without use for its members gives them back (${total(run, 'release')} times in this run), and idle ones are lent to a team whose search goes on (${total(run, 'join')} times).` },
    { title: 'Calling off', at: first('cancel'),
      text: run => `A cut-off stops all teams below the node: each captain tells its own. ${times(run, 'cancel', 'no team was called off')}` },
    { title: 'What it costs', at: most(doing('34')),
      text: run => `A team waits for its slowest member. At the worst moment of this run ${doing('34')(run, most(doing('34'))(run))} of ${run.processors} processors wait or have nothing to do.` },
    { title: 'Beside young brothers', at: last, beside: 'ybw',
      text: (run, other) => `Teams: ${bill(run)} Young brothers wait, on the same machine and position: ${bill(other)} One gives work from above, the other lets it be asked for from below; everything else is the same.` },
  ],
};

const scheduling: Tour = {
  id: 'tds', name: 'Transposition-driven scheduling', strategy: 'tds', machine: 'das2', processors: 16, depth: 5,
  steps: [
    { title: 'Every position has a home', tree: ['search', 'P0', ['open', 'P7'], ['open', 'P3'], ['open', 'P12'], ['open', 'P7']],
      caption: 'The children of a node have homes all over the machine; two of them have the same one.',
      text: run => `A position's key, divided by ${run.processors}, leaves a remainder: the number of the processor that is its home. Wherever the position comes up in the tree, it is searched there.` },
    { title: 'The root stays', at: () => 0,
      text: run => `The root belongs to the first processor. The other ${run.processors - 1} wait for positions that are theirs.` },
    { title: 'Work is sent away', at: first('state'),
      text: run => `A position of the upper part of the tree is not searched where it comes up: it is sent to its home, with its window, its depth and its place in the tree. No answer is waited for. ${times(run, 'state', 'no position was worth a message')}` },
    { title: 'Transpositions meet', tree: ['open', '', ['open', 'a', ['search', 'P7']], ['open', 'b', ['wait', 'P7']]],
      caption: 'Two lines lead to the same position: both come to processor 7, which searches it once.',
      text: () => 'Two lines that lead to the same position lead to the same processor. One of them is searched, the other waits for its value. The table entry is at home too: by the pure rule no processor reads the table of another one.' },
    { title: 'A queue in the old order', tree: ['wait', 'P7', ['done', '1'], ['search', '2'], ['open', '3']],
      caption: 'A position is held by its home until the values of its children are back.',
      text: () => 'A home keeps its positions in the order in which a sequential search would come to them. It opens the first one, sends its children to their homes, and holds it in a list until their values are back. Meanwhile it works at others.' },
    { title: 'Values go back', at: first('value'),
      text: run => `When a position is decided, its value goes to the home of its parent. ${times(run, 'value', 'no value was sent')}` },
    { title: 'The load spreads by itself', at: most(doing('0')),
      text: run => `Keys are as good as chance, so positions spread evenly without any processor deciding about it. At this moment ${doing('0')(run, most(doing('0'))(run))} of ${run.processors} search.` },
    { title: 'Calling back', at: first('abort'),
      text: run => `After a cut-off the positions below the node are of no use any more, wherever they are. The news follows them from home to home. ${times(run, 'abort', 'nothing was called back')}` },
    { title: 'Helping out', at: first('steal'),
      text: run => `Chance is not perfect: one home may have a long queue while another one has none. An idle processor may therefore steal a small position and send its value to its home. ${times(run, 'steal', 'nothing was stolen')}` },
    { title: 'Beside young brothers', at: last, beside: 'ybw',
      text: (run, other) => `Scheduling by homes: ${bill(run)} It sent ${sum(run)} messages. Young brothers wait: ${bill(other)} It sent ${sum(other)} messages. One sends work without being asked and waits for no answer, which hides long distances; the other gives it only to those who ask. Which is faster depends on the machine and the tree: see the reports.` },
  ],
};

export const TOURS = [youngBrothers, teams, scheduling];
