import { eventCodec } from '@sluice/es';
import { derivedId } from '@sluice/clock-and-ids';
import type { MemberGuardrailEvent } from '../domain/member-guardrail/events.ts';

/** How it lies in streams `memberGuardrail-<uuid of the account and the user>` which guardrails a member has. */
export const memberGuardrailEvents = eventCodec<MemberGuardrailEvent>({
  current: {
    GuardrailAssignedToMember: 1,
    GuardrailUnassignedFromMember: 1,
  },
});

export const memberGuardrailStreamPrefix = 'memberGuardrail-';

/** Returns the id in the name of a member's stream. A user is one member in each account. */
export function memberKey(accountId: string, userId: string): string {
  return derivedId('member guardrails', accountId, userId);
}
