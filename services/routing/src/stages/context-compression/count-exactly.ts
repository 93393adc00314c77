import type { Encoding } from './encodings.ts';

/** The time of the tokenizer grows with the square of a run without a break, so a longer one is counted in pieces. */
const runMax = 256;
const longRuns = /(\S{257,}|\s{257,})/;
/** The words of a text that look like marks of the protocol are words. */
const plain = { disallowedSpecial: new Set<string>() };

interface Tokenizer {
  countTokens(text: string, options: typeof plain): number;
  clearMergeCache(): void;
}

/** The tables have megabytes: they are loaded when the first text is counted. */
const loads: Readonly<Record<Encoding, () => Promise<Tokenizer>>> = {
  o200k_base: () => import('gpt-tokenizer/encoding/o200k_base'),
  cl100k_base: () => import('gpt-tokenizer/encoding/cl100k_base'),
};

/**
 * Counts the tokens of texts. It is exact but for runs of more than 256 characters without white space, where it may
 * differ by a few tokens for each 256 characters.
 */
export async function countExactly(
  texts: readonly string[],
  encoding: Encoding,
): Promise<readonly number[]> {
  const tokenizer = await loads[encoding]();
  const countPart = (part: string) => tokenizer.countTokens(part, plain);
  try {
    return texts.map((text) => partsOf(text).reduce((sum, part) => sum + countPart(part), 0));
  } finally {
    // It keeps pieces of the texts.
    tokenizer.clearMergeCache();
  }
}

/** Divides a text at its long runs, and those into pieces. */
function partsOf(text: string): readonly string[] {
  if (text.length <= runMax) return [text];
  const parts = text.split(longRuns);
  return parts.flatMap((part, index) => (index % 2 === 0 ? [part] : inPieces(part)));
}

function inPieces(run: string): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at < run.length; at += runMax) pieces.push(run.slice(at, at + runMax));
  return pieces;
}
