import type { GuardrailServiceService } from '@sluice/protos/sluice/guardrail/v1/guardrail';
import type { KnownKey } from '../../keys/resolved-key.ts';
import type { Calls } from '@sluice/rpc';

/** What of the guardrail service a key asks about itself. */
export type PolicyCalls = Pick<Calls<GuardrailServiceService>, 'getEffectivePolicy'>;

/** Where requests may come in. */
export type DataRegion = 'global' | 'europe' | 'us';
const dataRegions: readonly DataRegion[] = ['global', 'europe', 'us'];

export interface PolicyClient {
  /** What every guardrail of the key leaves of the regions; none: no request is let in. */
  allowedDataRegions(key: KnownKey): Promise<readonly DataRegion[]>;
}

export function policyClient(calls: PolicyCalls): PolicyClient {
  return {
    async allowedDataRegions({ accountId, workspaceId, hash: keyHash, creatorUserId: userId }) {
      const asked = { accountId, workspaceId, keyHash, userId };
      const { guardrails } = await calls.getEffectivePolicy(asked);
      const lists = guardrails.flatMap(({ rules }) => rules?.allowedDataRegions ?? []);
      return dataRegions.filter((region) => lists.every(({ values }) => values.includes(region)));
    },
  };
}
