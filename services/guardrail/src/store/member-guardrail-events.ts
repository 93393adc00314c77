import { eventCodec } from '@sluice/es';
import { derivedId } from '@sluice/clock-and-ids';
import { memberGuardrailStream } from '../domain/member-guardrail/events.ts';

/** The storage format of the guardrails of a member. */
export const memberGuardrailEvents = eventCodec(memberGuardrailStream);

/** Returns the id in the name of a member's stream. A user is one member in each account. */
export function memberKey(accountId: string, userId: string): string {
  return derivedId('member guardrails', accountId, userId);
}
