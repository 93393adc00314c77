import type { GuardrailServiceService } from '@sluice/protos/sluice/guardrail/v1/guardrail';
import type { KnownKey } from '../../caller/key-caller.ts';
import type { Calls } from '@sluice/rpc';

/** The calls of the gateway to the guardrail service about the current key. */
export type PolicyCalls = Pick<Calls<GuardrailServiceService>, 'getEffectivePolicy'>;

/** A region where requests may come in. */
export type DataRegion = 'global' | 'europe' | 'us';
const dataRegions: readonly DataRegion[] = ['global', 'europe', 'us'];

export interface PolicyClient {
  /** Returns the regions that every guardrail of the key allows. Empty: no request is let in. */
  allowedDataRegions(key: KnownKey): Promise<readonly DataRegion[]>;
}

export function policyClient(calls: PolicyCalls): PolicyClient {
  return {
    async allowedDataRegions({
      accountId,
      workspaceId,
      hash: keyHash,
      creatorUserId: userId = '',
    }) {
      const asked = { accountId, workspaceId, keyHash, userId };
      const { guardrails } = await calls.getEffectivePolicy(asked);
      const lists = guardrails.flatMap(({ rules }) => rules?.allowedDataRegions ?? []);
      return dataRegions.filter((region) => lists.every(({ values }) => values.includes(region)));
    },
  };
}
