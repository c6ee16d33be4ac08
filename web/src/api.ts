// The server: requests, and answers that stream. A server that is gone for a while is waited for.
import type { Score } from './score';

export interface Info {
  version: string;
  levels: [number, number][];
  strategies: string[];
  machines: string[];
  reports: string[];
  mostLines: number;
  mostSeconds: number;
  threads: number;
  cores: number;
  hash: number;
}

export interface Line {
  rank: number; depth: number; selectiveDepth: number; score: Score; exact: boolean; chances: [number, number, number];
  nodes: number; nps: number; hashfull: number; tbhits: number; ms: number; moves: string[];
}

/** A parallel search column by column: simulated, or by real threads and perhaps still going on. */
export interface Course {
  strategy: string; processors: number; real: boolean; seconds: number; columns: number; load: number; performance: number;
  nodes: number; activities: string[]; rows: string[]; owners: number[][]; messages: Record<string, number[]>;
  /** Compared with one processor, where that can be said; the rate is that of a thread at work. */
  speedup?: number; overhead?: number; rate?: number;
}

export type Simulation = Course & { speedup: number; overhead: number };

export type Event =
  | ({ kind: 'line' } & Line)
  | { kind: 'progress'; depth: number; nodes: number; nps: number; ms: number; done: number; all: number }
  | { kind: 'best'; move: string | null; reply: string | null }
  | { kind: 'book'; move: string; share: number }
  | { kind: 'game'; pgn: string }
  | ({ kind: 'simulation' } & Course)
  | ({ kind: 'running' } & Course)
  | { kind: 'alone' }
  | { kind: 'error'; reason: string };

export interface SearchRequest {
  place: { fen: string; moves: string[] };
  purpose: 'play' | 'analyse';
  game: string;
  level?: number;
  lines?: number;
  timeMs?: number;
  clock?: { remainingMs: number; incrementMs: number };
}

/** The request itself is wrong: asking again would not help. */
export class Refused extends Error {}

const RETRY_MS = 1000;
const sleep = (ms: number, signal?: AbortSignal) => new Promise<void>((resolve, reject) => {
  const timer = setTimeout(resolve, ms);
  signal?.addEventListener('abort', () => { clearTimeout(timer); reject(signal.reason); });
});

let listener: (connected: boolean) => void = () => {};
/** Tells when the server goes and when it is back. */
export const onConnection = (tell: typeof listener) => { listener = tell; };

async function ask(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(path, { signal, ...(body === undefined ? {} : post) });
  if (response.status === 503) throw new Error('busy');
  if (!response.ok) {
    const answer = await response.json().catch(() => ({}));
    throw new Refused(answer.error ?? `${response.status} ${response.statusText}`);
  }
  return response;
}

/** Does something until the server has answered; only a refusal or an abort ends it. */
async function insist<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      const result = await work();
      listener(true);
      return result;
    } catch (error) {
      if (signal?.aborted || error instanceof Refused) throw error;
      listener(error instanceof Error && error.message === 'busy');
      await sleep(RETRY_MS, signal);
    }
  }
}

export const info = () => insist(undefined, async () => (await ask('/api/info', undefined)).json() as Promise<Info>);

export const evaluate = async (place: SearchRequest['place']) =>
  (await ask('/api/evaluate', place)).json();

/** What is known about a position without a search. */
export interface Known {
  book: { move: string; share: number }[];
  ending: null | {
    value: string; source: string; plies_to_mate?: number; moves_to_conversion?: number; recogniser?: string;
    syzygy?: { value: string; distance?: number }; moves: { move: string; value: string; plies_to_mate?: number }[];
  };
}

export const known = async (place: SearchRequest['place']): Promise<Known> => (await ask('/api/known', place)).json();

export const report = (name: string) =>
  insist(undefined, async () => (await ask(`/lab/${encodeURIComponent(name)}`, undefined)).text());

/** Reads the events of an answer; begins anew where the connection breaks before the last one. */
async function stream(path: string, body: unknown, signal: AbortSignal, tell: (event: Event) => void) {
  await insist(signal, async () => {
    const response = await ask(path, body, signal);
    listener(true);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '', ended = false;
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      text += value;
      const events = text.split('\n\n');
      text = events.pop()!;
      for (const one of events) {
        if (!one.startsWith('data: ')) continue; // a sign of life
        const event = JSON.parse(one.slice(6)) as Event;
        if (event.kind === 'error') throw new Refused(event.reason);
        ended ||= ['best', 'game', 'simulation'].includes(event.kind);
        if (!signal.aborted) tell(event);
      }
    }
    if (!ended) throw new Error('the connection is lost');
  });
}

export const search = (request: SearchRequest, signal: AbortSignal, tell: (event: Event) => void) =>
  stream('/api/search', request, signal, tell);

export const simulate = (
  request: { place: SearchRequest['place']; strategy: string; machine: string; processors: number; depth: number },
  signal: AbortSignal, tell: (event: Event) => void,
) => stream('/api/simulate', request, signal, tell);

export const threads = (
  request: { place: SearchRequest['place']; strategy: string; threads: number; depth: number },
  signal: AbortSignal, tell: (event: Event) => void,
) => stream('/api/threads', request, signal, tell);

export const annotate = (pgn: string, nodes: number, signal: AbortSignal, tell: (event: Event) => void) =>
  stream('/api/annotate', { pgn, nodes }, signal, tell);
