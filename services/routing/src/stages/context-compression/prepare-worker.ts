import { countExactly } from './count-exactly.ts';
import type { Encoding } from './encodings.ts';
import { shrinkOutput } from './shrink/shrink-output.ts';

export interface PrepareInput {
  readonly texts: readonly string[];
  /** Places in `texts` of the outputs of tools that may be shrunk. */
  readonly outputs: readonly number[];
  readonly encodings: readonly Encoding[];
}

export interface Prepared {
  /** The shorter texts by their places. */
  readonly shrunk: ReadonlyMap<number, string>;
  /** The tokens of `texts`, and after them of the shorter texts in their order. */
  readonly counts: ReadonlyMap<Encoding, readonly number[]>;
}

/** Runs in a thread: long outputs are parsed, and tokens are counted. */
export async function work({ texts, outputs, encodings }: PrepareInput): Promise<Prepared> {
  const shrunk = new Map<number, string>();
  for (const place of outputs) {
    const text = shrinkOutput(texts[place] ?? '');
    if (text !== undefined) shrunk.set(place, text);
  }
  const counts = new Map<Encoding, readonly number[]>();
  for (const encoding of encodings)
    counts.set(encoding, await countExactly([...texts, ...shrunk.values()], encoding));
  return { shrunk, counts };
}
