import type { AccountServiceService } from '@sluice/protos/sluice/account/v1/account';
import { Fault, type Rejection } from '@sluice/errors';
import { createRemoteCache } from '@sluice/remote-cache';
import type { Calls } from '@sluice/rpc';

/** Calls about accounts, over the network or in the same process. */
export type AccountCalls = Pick<Calls<typeof AccountServiceService>, 'getAccount'>;

/** Decides who may use the plugin `alignment`. */
export interface AlignmentBeta {
  /** Returns why a request with the plugin is refused. Throws unavailable if the account service does not answer. */
  refusal(accountId: string): Promise<Rejection | undefined>;
}

interface BetaOptions {
  /** Absent: no account is in the beta. */
  readonly accounts: AccountCalls | undefined;
  /** The installation has a model that judges. */
  readonly isSetUp: () => boolean;
  readonly nowMs: () => number;
  readonly lastKnownMsMax: number | undefined;
}

/** Caches the admissions of accounts. One that was asked for is at most 5 s old. */
export function createAlignmentBeta({
  accounts,
  isSetUp,
  nowMs,
  lastKnownMsMax,
}: BetaOptions): AlignmentBeta {
  const cache = createRemoteCache({
    ask: async ({ accountId }: { readonly accountId: string }) => {
      const { account } = (await accounts?.getAccount({ accountId })) ?? {};
      if (accounts && !account) throw new Fault('unavailable');
      return account?.isAlignmentEnabled === true;
    },
    groupOf: ({ accountId }) => accountId,
    unsubscribedMs: () => Infinity,
    nowMs,
    lastKnownMsMax,
  });
  return {
    async refusal(accountId) {
      if (!(await cache.find({ accountId }))) return notAdmitted;
      return isSetUp() ? undefined : notSetUp;
    },
  };
}

const notAdmitted: Rejection = {
  rejected: 'permission_denied',
  message: 'The account is not admitted to the beta of the plugin alignment',
};

const notSetUp: Rejection = {
  rejected: 'invalid_request',
  message:
    'The plugin alignment cannot be used here: SLUICE_ALIGNMENT_MODEL names no model of the catalog',
};
