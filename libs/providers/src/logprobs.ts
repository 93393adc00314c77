import type { Logprob } from '@sluice/inference';
import { asArray, asObject, asString } from './json-reader.ts';

const noLogprobs: readonly Logprob[] = [];

/**
 * Returns the well-formed log probabilities in the words that the dialects of OpenAI share.
 * A malformed one is skipped, because it affects neither cost nor text.
 */
export function readLogprobs(list: unknown): readonly Logprob[] {
  if (!Array.isArray(list) || list.length === 0) return noLogprobs;
  return list.flatMap((value: unknown): Logprob[] => {
    const one = readOne(value);
    if (!one) return [];
    const top = asArray(asObject(value)?.['top_logprobs']).flatMap((each) => readOne(each) ?? []);
    return [{ ...one, top_logprobs: top }];
  });
}

function readOne(value: unknown): Omit<Logprob, 'top_logprobs'> | undefined {
  const object = asObject(value);
  const token = asString(object?.['token']);
  const logprob = object?.['logprob'];
  if (token === undefined || typeof logprob !== 'number') return undefined;
  const bytes = asArray(object?.['bytes']).filter((byte) => typeof byte === 'number');
  return { token, logprob, bytes };
}
