import type { Rejection } from '@sluice/errors';
import { demandsOf } from '../../policy/demands-of.ts';
import { choose } from '../../selection/choose.ts';
import type { Plan, Refused } from '../../selection/plan.ts';
import { type Conversation, conversationOf } from '../../sticky/conversation.ts';
import { estimateContextTokens, estimateInputTokens } from '../../turn/tokens.ts';
import type { ReadCall } from './read-call.ts';
import type { Inspected } from './inspect-input.ts';

/** A request with the endpoints that may serve it. */
export interface Chosen {
  readonly chosen: Plan;
  /** Sluice's own count of the input. */
  readonly inputTokens: number;
  readonly conversation: Conversation | undefined;
}

/** Chooses the endpoints of a request as its input stages left it. */
export function chooseEndpoints({
  pipeline,
  catalog,
  call,
  policy,
  inspected,
}: ReadCall & Inspected): Chosen | Refused | Rejection {
  const { clock, endpoints, routers } = pipeline;
  const { accountId } = call.principal;
  const inputTokens = estimateInputTokens(inspected.inference);
  const sessionId = inspected.sessionId ?? call.client?.sessionId;
  const conversation = conversationOf(sessionId, inspected.inference);
  const chosen = choose(inspected, {
    catalog,
    guardrails: demandsOf(policy),
    inputTokens,
    contextTokens: estimateContextTokens(inspected.inference, inputTokens),
    now: () => clock.now(),
    condition: (id) => endpoints.health.condition(id),
    sticky: conversation && ((models) => stickyOf(models, conversation)),
    session: conversation?.isNamed ? `${accountId} ${conversation.key}` : undefined,
    random: endpoints.random,
    shares: () => pipeline.shares.find(accountId),
    routers,
  });
  return 'rejected' in chosen ? chosen : { chosen, inputTokens, conversation };

  /** Returns the endpoint that served the conversation before, of the first of the models that has one. */
  function stickyOf(models: readonly string[], { key }: Conversation): string | undefined {
    for (const model of models) {
      const found = endpoints.sticky.find(accountId, model, key);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
