import { defaultGuardrailId } from '@sluice/policy';
import { type Queryable, requireReadable } from '@sluice/read-model';
import type { HoldingGuardrailRow, Requester } from '../queries/effective-guardrails.ts';
import { guardrailEvents } from '../store/guardrail-events.ts';
import { guardrailPhrasesEvents } from '../store/guardrail-phrases-events.ts';
import { keyGuardrailEvents } from '../store/key-guardrail-events.ts';
import { memberGuardrailEvents, memberKey } from '../store/member-guardrail-events.ts';
import { unsupportedFeaturesEvents } from '../store/unsupported-features-events.ts';

/** Throws stream_unreadable if a stream that the policy of a request is made of is set aside. */
export async function requireReadablePolicy(
  readModel: Queryable,
  { accountId, workspaceId, keyHash, userId }: Requester,
  holding: readonly HoldingGuardrailRow[],
): Promise<void> {
  const guardrailIds = [
    defaultGuardrailId(workspaceId),
    ...holding.map(({ guardrailId }) => guardrailId),
  ];
  await requireReadable(readModel, [
    ...guardrailIds.map((id) => `${guardrailEvents.streamPrefix}${id}`),
    `${keyGuardrailEvents.streamPrefix}${keyHash}`,
    `${memberGuardrailEvents.streamPrefix}${memberKey(accountId, userId)}`,
    `${guardrailPhrasesEvents.streamPrefix}${accountId}`,
    `${unsupportedFeaturesEvents.streamPrefix}${accountId}`,
  ]);
}
