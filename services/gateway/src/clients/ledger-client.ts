import { Fault } from '@sluice/errors';
import type { Clock } from '@sluice/clock-and-ids';
import type {
  ActivityRow,
  Generation,
  GetBudgetProofRequest,
  GetBudgetProofResponse,
  GetConservationProofRequest,
  GetConservationProofResponse,
  GetCreditsResponse,
  KeyUsage,
  LedgerServiceService,
  ListActivityRequest,
  RecordFeedbackRequest,
  WindowUsage,
} from '@sluice/protos/sluice/ledger/v1/ledger';
import type { Calls } from '@sluice/rpc';
import { present } from './present.ts';

/** The calls of the gateway to the ledger. */
export type LedgerCalls = Pick<
  Calls<LedgerServiceService>,
  | 'getCredits'
  | 'getKeyUsage'
  | 'getGeneration'
  | 'listActivity'
  | 'recordFeedback'
  | 'getBudgetProof'
  | 'getConservationProof'
>;

/** The spend of a key in its current windows, in nano-USD. */
export interface KeySpend {
  readonly credits: WindowUsage;
  readonly byok: WindowUsage;
}

/** The spend of a key in the windows of a past instant. */
export interface PastSpend extends KeySpend {
  /** If undefined, no request of it was counted by then. */
  readonly lastUsedAt: string | undefined;
}

const nothing: WindowUsage = {
  lifetimeNanoUsd: 0n,
  dailyNanoUsd: 0n,
  weeklyNanoUsd: 0n,
  monthlyNanoUsd: 0n,
};
/** The spend of a key that was created a moment ago. */
export const noSpend: KeySpend = { credits: nothing, byok: nothing };

export type ActivityQuestion = Omit<ListActivityRequest, 'offset'>;

/** Far above what 30 days of any account have. */
const activityRowsMax = 200_000;

export interface LedgerClient {
  /** Returns what is counted, or what was by an instant. */
  readCredits(accountId: string, at?: string): Promise<GetCreditsResponse>;
  /** One call for all of them (at most 100); in the order asked. */
  readSpend(accountId: string, keyHashes: readonly string[]): Promise<readonly KeySpend[]>;
  /** Returns the spend of a key that was counted by an instant. */
  readPastSpend(accountId: string, keyHash: string, at: string): Promise<PastSpend>;
  /** Throws not_found for another account's, and until it is counted. */
  findGeneration(accountId: string, generationId: string): Promise<Generation>;
  /** All rows, newest day first. */
  listActivity(question: ActivityQuestion): Promise<readonly ActivityRow[]>;
  /** Throws not_found when the account has no such generation. */
  recordFeedback(feedback: RecordFeedbackRequest): Promise<void>;
  /** Proves the budgets of the account or of a key's hash. Empty if the account has no such limit. */
  proveBudget(question: GetBudgetProofRequest): Promise<GetBudgetProofResponse>;
  /**
   * Proves for some days that each admitted request was counted or refused. Throws invalid_request for days that do
   * not exist.
   */
  proveConservation(question: GetConservationProofRequest): Promise<GetConservationProofResponse>;
}

export function ledgerClient(calls: LedgerCalls, clock: Clock): LedgerClient {
  return {
    readCredits: (accountId, at) => calls.getCredits({ accountId, at }),
    async readSpend(accountId, keyHashes) {
      if (keyHashes.length === 0) return [];
      const at = clock.now().toISOString();
      const { usages } = await calls.getKeyUsage({ accountId, keyHashes: [...keyHashes], at });
      const byHash = new Map(usages.map((usage) => [usage.keyHash, usage]));
      return keyHashes.map((hash) => spendOf(byHash.get(hash)));
    },
    async readPastSpend(accountId, keyHash, at) {
      const asked = { accountId, keyHashes: [keyHash], at, asOf: true };
      const [usage] = (await calls.getKeyUsage(asked)).usages;
      return { ...spendOf(usage), lastUsedAt: usage?.lastUsedAt };
    },
    async findGeneration(accountId, generationId) {
      const { generation } = await calls.getGeneration({ accountId, generationId });
      return present(generation);
    },
    async listActivity(question) {
      const all: ActivityRow[] = [];
      for (;;) {
        const { rows, isLast } = await calls.listActivity({ ...question, offset: all.length });
        all.push(...rows);
        if (isLast) return all;
        if (all.length >= activityRowsMax)
          throw new Fault('internal', { message: 'more activity than can be answered at once' });
      }
    },
    async recordFeedback(feedback) {
      await calls.recordFeedback(feedback);
    },
    proveBudget: (question) => calls.getBudgetProof(question),
    proveConservation: (question) => calls.getConservationProof(question),
  };
}

function spendOf(usage: KeyUsage | undefined): KeySpend {
  const { credits, byok } = present(usage);
  return { credits: present(credits), byok: present(byok) };
}
