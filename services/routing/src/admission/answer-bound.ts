import { inputCount, type InferenceRequest } from '@sluice/inference';
import type { OutputModality } from '@sluice/catalog';

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
/** A token comes in an event of its own, a few hundred bytes long, and again in the events that close its item. */
const streamedTokenBytes = 4 * kibibyte;
/** A token is a few characters of a text that comes once. */
const wholeTokenBytes = kibibyte;
/** Each alternative of a token, as often as the token itself. */
const logprobBytes = 512;
/** The shortest answer has a head and a foot, and a provider may be more talkative than it has to be. */
const floorBytes = mebibyte;
/** Pictures, sounds, and what a provider's own tools found are not counted in tokens that way. */
const richFloorBytes = 32 * mebibyte;

/** A vector of 4,096 numbers, each with the longest text of a number and white space. */
const vectorBytes = 128 * kibibyte;

/** A rank has two numbers and their names. */
const rankBytes = kibibyte;
/** A server may repeat the documents, with escapes. */
const escapedFactor = 6;

type Asked = Pick<
  InferenceRequest,
  'maxOutputTokens' | 'stream' | 'options' | 'tools' | 'items' | 'embedding' | 'ranking'
>;

/**
 * Returns how long the body of an answer may be that was asked for with a token limit: many times what a talkative
 * provider needs for it. undefined: no limit was sent, and any length that an answer may have is right.
 */
export function answerBytesMax(
  asked: Asked,
  { outputModalities }: { readonly outputModalities: readonly OutputModality[] },
): number | undefined {
  const { maxOutputTokens, stream, options, tools, embedding, ranking } = asked;
  if (embedding) return floorBytes + inputCount(asked) * vectorBytes;
  if (ranking) return floorBytes + inputCount(asked) * rankBytes + echoedBytes(asked);
  if (maxOutputTokens === undefined) return undefined;
  const alternatives = options?.topLogprobs === undefined ? 0 : options.topLogprobs + 1;
  const tokenBytes =
    (stream ? streamedTokenBytes : wholeTokenBytes) +
    alternatives * logprobBytes * (stream ? 4 : 1);
  const isRich =
    options?.modalities?.includes('image') === true ||
    !outputModalities.includes('text') ||
    tools.some(({ type }) => type === 'native');
  return Math.max(isRich ? richFloorBytes : floorBytes, maxOutputTokens * tokenBytes);
}

function echoedBytes({ items }: Asked): number {
  return escapedFactor * Buffer.byteLength(JSON.stringify(items));
}
