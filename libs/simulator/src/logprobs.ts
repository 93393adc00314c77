import { chunksOf } from './generation.ts';
import type { JsonObject } from './prompt.ts';

/** A token beside its log probability. A token is a word here, as a chunk is. */
interface TokenProbability {
  readonly token: string;
  readonly logprob: number;
  /** The likeliest tokens, at most as many as asked. The chosen one is the first. */
  readonly likeliest: readonly { readonly token: string; readonly logprob: number }[];
}

/** Returns the log probability of each token of a text. The same text always gets the same ones. */
function probabilitiesOf(text: string, likeliestCount: number): readonly TokenProbability[] {
  return chunksOf(text).map((token) => {
    const chosen = { token, logprob: -0.25 };
    const others = Array.from({ length: Math.max(0, likeliestCount - 1) }, (_, rank) => ({
      token: `${token}${rank + 1}`,
      logprob: -1.5 - rank,
    }));
    return { ...chosen, likeliest: likeliestCount === 0 ? [] : [chosen, ...others] };
  });
}

/** In the words of OpenAI's dialects. Empty if the prompt did not ask. */
export function openAiLogprobs(
  text: string,
  likeliestCount: number | undefined,
): readonly object[] {
  if (likeliestCount === undefined) return [];
  const withBytes = (each: { readonly token: string; readonly logprob: number }) => ({
    token: each.token,
    logprob: each.logprob,
    bytes: [...Buffer.from(each.token)],
  });
  return probabilitiesOf(text, likeliestCount).map(({ likeliest, ...chosen }) => ({
    ...withBytes(chosen),
    top_logprobs: likeliest.map(withBytes),
  }));
}

/** Google's `logprobsResult`. */
export function logprobsResult(text: string, likeliestCount: number): object {
  const candidate = (each: { readonly token: string; readonly logprob: number }) => ({
    token: each.token,
    logProbability: each.logprob,
  });
  const tokens = probabilitiesOf(text, likeliestCount);
  return {
    topCandidates: tokens.map(({ likeliest }) => ({ candidates: likeliest.map(candidate) })),
    chosenCandidates: tokens.map(candidate),
  };
}

/** Reads how many likeliest tokens a request asks for. undefined: it asks for no log probabilities. */
export function likeliestCountOf(
  body: JsonObject,
  isAsked: boolean,
  field = 'top_logprobs',
): { readonly likeliestCount?: number } {
  const count = body[field];
  return isAsked ? { likeliestCount: typeof count === 'number' ? count : 0 } : {};
}

/** Returns true if a request of the responses dialect asks for log probabilities. */
export function includesLogprobs({ include }: JsonObject): boolean {
  return Array.isArray(include) && include.includes('message.output_text.logprobs');
}
