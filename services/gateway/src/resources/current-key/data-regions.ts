import type { KnownKey } from '../../caller/key-caller.ts';
import type { PolicyCalls } from '../../clients/calls.ts';

/** A region where requests may come in. */
export type DataRegion = 'global' | 'europe' | 'us';
const dataRegions: readonly DataRegion[] = ['global', 'europe', 'us'];

/** Returns the regions that every guardrail of the key allows. Empty: no request is let in. */
export async function allowedDataRegions(
  policies: PolicyCalls,
  { accountId, workspaceId, hash: keyHash, creatorUserId: userId = '' }: KnownKey,
): Promise<readonly DataRegion[]> {
  const asked = { accountId, workspaceId, keyHash, userId };
  const { guardrails } = await policies.getEffectivePolicy(asked);
  const lists = guardrails.flatMap(({ rules }) => rules?.allowedDataRegions ?? []);
  return dataRegions.filter((region) => lists.every(({ values }) => values.includes(region)));
}
