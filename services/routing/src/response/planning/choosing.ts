import { demandsOf } from '../../policy/demands-of.ts';
import type { Choosing } from '../../selection/choose.ts';
import type { ReadCall } from './read-call.ts';

/** Returns the inputs of a choice of endpoints for a request of any length, before it is known what it asks. */
export function choosingOf({
  pipeline,
  catalog,
  policy,
  call,
}: Pick<ReadCall, 'pipeline' | 'catalog' | 'policy' | 'call'>): Choosing {
  const { clock, endpoints, routers } = pipeline;
  return {
    catalog,
    guardrails: demandsOf(policy),
    inputTokens: 0,
    now: () => clock.now(),
    condition: (id) => endpoints.health.condition(id),
    sticky: undefined,
    random: () => 0,
    shares: () => pipeline.shares.find(call.principal.accountId),
    routers,
  };
}
