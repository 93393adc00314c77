import { readFileSync } from 'node:fs';
import type { Event, Mutation } from './mutation.ts';

export type StreamFormat = 'response' | 'chat' | 'messages';

/** A stream that keeps every rule. */
export interface GoodStream {
  readonly name: string;
  readonly events: readonly Event[];
}

/** Returns the ways to break each rule of a format. */
export function mutationsOf(format: StreamFormat): readonly Mutation[] {
  return linesOf(format, 'mutations.jsonl') as readonly Mutation[];
}

/** Returns streams with everything that a format has, the one that tells most first. */
export function goodStreams(format: StreamFormat): readonly [GoodStream, ...GoodStream[]] {
  const [first, ...others] = linesOf(format, 'good.jsonl') as readonly GoodStream[];
  if (!first) throw new Error(`there is no stream of ${format}`);
  return [first, ...others];
}

function linesOf(format: StreamFormat, file: string): readonly unknown[] {
  const url = new URL(`../${format}-stream/testing/${file}`, import.meta.url);
  const lines = readFileSync(url, 'utf8').trim().split('\n');
  return lines.map((line): unknown => JSON.parse(line));
}
