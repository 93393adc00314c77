import type { InputItem } from '@sluice/inference';
import type { WorkerPool } from '@sluice/worker-pool';
import { type CountText, countItem, textsOf, textTokens } from './count-items.ts';
import type { Encoding } from './encodings.ts';
import type { Prepared, PrepareInput } from './prepare-worker.ts';
import { cachedEndOf, lastTurnOf } from './units.ts';

/** More text is estimated: counting it takes a second for a million characters. */
const charactersMax = 1_000_000;
const worker = new URL('prepare-worker.ts', import.meta.url);

export interface PrepareOptions {
  readonly pool: WorkerPool;
  readonly account: string;
  readonly signal: AbortSignal;
  readonly encodings: readonly Encoding[];
  /** The outputs of tools are shrunk. */
  readonly shrinks: boolean;
}

/** Holds the shorter outputs and the counts of a conversation. Texts that it does not know are estimated. */
export interface PreparedTexts {
  /** Returns the shorter form of an output. undefined: it has none. */
  shrunk(item: InputItem): InputItem | undefined;
  /** Returns the count for an encoding. undefined: it is an estimate. */
  countFor(encoding: Encoding | undefined): CountText | undefined;
}

/** Shrinks outputs and counts tokens in a thread. After a failure of it nothing is shrunk, and tokens are estimated. */
export async function prepareTexts(
  items: readonly InputItem[],
  { pool, account, signal, shrinks, encodings: asked }: PrepareOptions,
): Promise<PreparedTexts | undefined> {
  const texts = items.flatMap(textsOf);
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  const encodings = characters <= charactersMax ? asked : [];
  const outputs = shrinks ? outputPlaces(items) : [];
  if (encodings.length === 0 && outputs.length === 0) return undefined;
  const input: PrepareInput = { texts, outputs, encodings };
  const outcome = await pool.run<Prepared>({ account, module: worker, input, signal });
  return typeof outcome === 'string' ? undefined : read(texts, outcome.result);
}

/** Returns the places, among all texts, of outputs of tools between the cached prompt and the last turn. */
function outputPlaces(items: readonly InputItem[]): readonly number[] {
  const [begin, end] = [cachedEndOf(items), lastTurnOf(items)];
  const places: number[] = [];
  let place = 0;
  for (const [index, item] of items.entries()) {
    const { length } = textsOf(item);
    const isOutput = 'output' in item && index >= begin && index < end;
    for (let text = 0; text < length; text += 1) if (isOutput) places.push(place + text);
    place += length;
  }
  return places;
}

function read(texts: readonly string[], { shrunk, counts }: Prepared): PreparedTexts {
  const shorter = new Map([...shrunk].map(([place, text]) => [texts[place] ?? '', text]));
  const known = [...texts, ...shrunk.values()];
  const exact = new Map(
    [...counts].map(([encoding, all]) => [
      encoding,
      new Map(known.map((text, place) => [text, all[place] ?? textTokens(text)])),
    ]),
  );
  return {
    shrunk: (item) => withTexts(item, shorter),
    countFor(encoding) {
      const tokens = encoding && exact.get(encoding);
      return tokens && ((text) => tokens.get(text) ?? textTokens(text));
    },
  };
}

/** Returns an output with its shorter texts; undefined: it has none. */
function withTexts(item: InputItem, shorter: ReadonlyMap<string, string>): InputItem | undefined {
  if (!('output' in item) || !textsOf(item).some((text) => shorter.has(text))) return undefined;
  const { output } = item;
  if (typeof output === 'string') return { ...item, output: shorter.get(output) ?? output };
  const parts = output.map((part) =>
    part.type === 'text' ? { ...part, text: shorter.get(part.text) ?? part.text } : part,
  );
  return { ...item, output: parts };
}

/** Replaces outputs by their shorter forms, the oldest first, until the conversation has at most so many tokens. */
export function shrinkOutputs(
  items: readonly InputItem[],
  counts: readonly number[],
  { tokensMax, prepared, count }: ShrinkOptions,
): Shrunk {
  const shown = [...items];
  const left = [...counts];
  let tokens = counts.reduce((sum, each) => sum + each, 0);
  let outputs = 0;
  const [begin, end] = [cachedEndOf(items), lastTurnOf(items)];
  for (let place = begin; place < end && tokens > tokensMax; place += 1) {
    const item = items[place];
    const shrunk = item && prepared.shrunk(item);
    if (!shrunk) continue;
    const after = countItem(shrunk, count);
    tokens += after - (left[place] ?? 0);
    shown[place] = shrunk;
    left[place] = after;
    outputs += 1;
  }
  return { items: shown, counts: left, tokens, outputs };
}

interface ShrinkOptions {
  readonly tokensMax: number;
  readonly prepared: PreparedTexts;
  readonly count: CountText;
}

export interface Shrunk {
  readonly items: readonly InputItem[];
  /** The tokens of each item. */
  readonly counts: readonly number[];
  readonly tokens: number;
  /** The number of outputs that were shrunk. */
  readonly outputs: number;
}
