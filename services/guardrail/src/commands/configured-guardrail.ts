import { isUuid } from '@sluice/clock-and-ids';
import { Fault } from '@sluice/errors';
import type { ConfiguredGuardrail } from '../domain/guardrail/state.ts';
import type { Aggregates } from '../store/aggregates.ts';

/** Returns the id as it may become part of a stream's name. Throws not_found for a malformed id. */
export function guardrailIdFrom(sent: string): string {
  const guardrailId = sent.toLowerCase();
  if (isUuid(guardrailId)) return guardrailId;
  throw new Fault('not_found', { message: 'There is no such guardrail' });
}

/** From the log. Throws not_found where the account has none of that id, or not any more. */
export async function configuredGuardrail(
  aggregates: Pick<Aggregates, 'guardrail'>,
  accountId: string,
  guardrailId: string,
): Promise<ConfiguredGuardrail> {
  const guardrail = await aggregates.guardrail(guardrailId);
  if (guardrail.status === 'configured' && guardrail.accountId === accountId) return guardrail;
  throw new Fault('not_found', { message: 'There is no such guardrail' });
}
