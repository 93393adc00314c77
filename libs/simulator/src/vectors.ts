import { createHash } from 'node:crypto';
import { BadRequest, type Prompt, type Turn, type Vectors } from './prompt.ts';

const dimensionsUsual = 64;
const dimensionsMax = 4_096;
/** One token of an input that comes as tokens counts as one. */
const tokenText = 'tttt';

/** Throws BadRequest. */
export function dimensionsOf(value: unknown): number {
  if (value === undefined || value === null) return dimensionsUsual;
  const isRight = typeof value === 'number' && Number.isInteger(value) && value >= 1;
  if (!isRight || value > dimensionsMax)
    throw new BadRequest(`Invalid value for 'dimensions': it must be from 1 to ${dimensionsMax}.`);
  return value;
}

export function vectorPrompt(
  model: string,
  texts: readonly string[],
  vectors: Vectors,
): Prompt & { readonly vectors: Vectors } {
  return {
    model,
    turns: texts.map((text): Turn => ({ role: 'user', text })),
    tools: [],
    toolChoice: 'none',
    parallelToolCalls: false,
    outputTokensMax: undefined,
    streamed: false,
    includeUsage: true,
    isStored: false,
    vectors,
  };
}

export function textOfTokens(tokens: readonly unknown[]): string {
  return tokenText.repeat(tokens.length);
}

/** Returns the vector of each input. The same text always gets the same one, of length 1. */
export function vectorsOf({ turns, vectors }: Prompt): readonly Float32Array[] {
  if (!vectors) throw new Error('the prompt asks for no vectors');
  return turns.map(({ text }) => vectorOf(text, vectors.dimensions));
}

function vectorOf(text: string, dimensions: number): Float32Array {
  const bytes = createHash('shake256', { outputLength: 2 * dimensions })
    .update(text)
    .digest();
  const values = Array.from({ length: dimensions }, (_, at) => bytes.readInt16LE(2 * at));
  const length = Math.hypot(...values) || 1;
  return Float32Array.from(values, (value) => value / length);
}

export function base64Of(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
}
