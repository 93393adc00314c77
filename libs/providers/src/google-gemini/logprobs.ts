import type { Logprob } from '@sluice/inference';
import { asArray, asObject, asString, type JsonObject } from '../json-reader.ts';

const noLogprobs: readonly Logprob[] = [];

/**
 * Reads the log probabilities of a chunk: the chosen token of each step, beside the likeliest ones. If a step is
 * malformed, the chunk has none, because the rest would stand beside the wrong tokens.
 */
export function readLogprobs(result: JsonObject | undefined): readonly Logprob[] {
  if (!result) return noLogprobs;
  const chosen = asArray(result['chosenCandidates']).map(readCandidate);
  const likeliest = asArray(result['topCandidates']);
  const tokens = chosen.flatMap((token, step) => {
    const top = asArray(asObject(likeliest[step])?.['candidates']).map(readCandidate);
    return token ? [{ ...token, top_logprobs: top.filter((each) => each !== undefined) }] : [];
  });
  return tokens.length === chosen.length ? tokens : noLogprobs;
}

function readCandidate(value: unknown): Omit<Logprob, 'top_logprobs'> | undefined {
  const candidate = asObject(value);
  const token = asString(candidate?.['token']);
  const logprob = candidate?.['logProbability'];
  if (token === undefined || typeof logprob !== 'number') return undefined;
  return { token, logprob, bytes: [...Buffer.from(token)] };
}
