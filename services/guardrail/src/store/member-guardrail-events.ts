import { aggregateEvents } from '@sluice/boot/aggregate-events';
import { derivedId } from '@sluice/clock-and-ids';
import { memberGuardrail } from '../domain/member-guardrail/decide.ts';
import { memberGuardrailStream } from '../domain/member-guardrail/events.ts';

/** The guardrails of members, those of each member under `memberKey`. */
export const memberGuardrailEvents = aggregateEvents(memberGuardrail, memberGuardrailStream);

/** Returns the id in the name of a member's stream. A user is one member in each account. */
export function memberKey(accountId: string, userId: string): string {
  return derivedId('member guardrails', accountId, userId);
}
