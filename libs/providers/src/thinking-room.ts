import type { InferenceRequest } from '@sluice/inference';
import { outputTokensUnnamed } from './abilities.ts';
import { claudeAbilities } from './anthropic-messages/claude-version.ts';
import { anthropicMessagesTranslator } from './anthropic-messages/anthropic-messages.ts';
import { conversationOf } from './anthropic-messages/messages.ts';
import { budgetMin, thinkingOf } from './anthropic-messages/thinking.ts';
import type { Endpoint } from './endpoint.ts';
import { plainRequest } from './prepare-request.ts';

type Thinker = Pick<Endpoint, 'dialect' | 'upstreamModel'>;

/**
 * Returns the smallest output limit that leaves room for an answer beside the thinking budget that a
 * request names. 0: the request names no budget, or the endpoint takes none.
 */
export function budgetedOutputTokensMin(
  endpoint: Thinker,
  { options }: Pick<InferenceRequest, 'options'>,
): number {
  const { tokensMax = 0, isEnabled = true } = options?.reasoning ?? {};
  if (tokensMax === 0 || !isEnabled) return 0;
  if (endpoint.dialect === 'google-gemini') return tokensMax + 1;
  if (endpoint.dialect !== 'anthropic-messages') return 0;
  if (claudeAbilities(endpoint.upstreamModel).thinksAdaptively) return 0;
  return Math.max(tokensMax, budgetMin) + 1;
}

/**
 * Returns true where a request asks to think and the endpoint cannot: the output limit has no room for the
 * smallest budget, a tool is forced, or the turn began without thoughts.
 */
export function dropsThinking(endpoint: Endpoint, request: InferenceRequest): boolean {
  if (endpoint.dialect !== 'anthropic-messages' || !asksToThink(request)) return false;
  const { request: plain } = plainRequest(anthropicMessagesTranslator, request);
  const { messages } = conversationOf(plain.items);
  const { maxOutputTokens: maxTokens = outputTokensUnnamed } = request;
  return thinkingOf(endpoint, request, { messages, maxTokens }) === undefined;
}

function asksToThink({ options }: InferenceRequest): boolean {
  const { effort, tokensMax, isEnabled } = options?.reasoning ?? {};
  if (isEnabled === false || effort === 'none' || tokensMax === 0) return false;
  return effort !== undefined || tokensMax !== undefined || isEnabled === true;
}
