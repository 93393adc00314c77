import { defaultGuardrailId } from '@sluice/policy';
import { type Queryable, requireReadable } from '@sluice/read-model';
import type { HoldingGuardrailRow, Requester } from '../queries/effective-guardrails.ts';
import { guardrailStreamPrefix } from '../store/guardrail-events.ts';
import { guardrailPhrasesStreamPrefix } from '../store/guardrail-phrases-events.ts';
import { keyGuardrailStreamPrefix } from '../store/key-guardrail-events.ts';
import { memberGuardrailStreamPrefix, memberKey } from '../store/member-guardrail-events.ts';
import { unsupportedFeaturesStreamPrefix } from '../store/unsupported-features-events.ts';

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
    ...guardrailIds.map((id) => `${guardrailStreamPrefix}${id}`),
    `${keyGuardrailStreamPrefix}${keyHash}`,
    `${memberGuardrailStreamPrefix}${memberKey(accountId, userId)}`,
    `${guardrailPhrasesStreamPrefix}${accountId}`,
    `${unsupportedFeaturesStreamPrefix}${accountId}`,
  ]);
}
