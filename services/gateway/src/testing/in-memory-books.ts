import { Fault } from '@sluice/errors';
import { AccountKind } from '@sluice/protos/sluice/account/v1/account';
import type {
  BudgetProof,
  GetConservationProofResponse,
  GetCreditsResponse,
  KeyUsage,
} from '@sluice/protos/sluice/ledger/v1/ledger';
import type { LedgerCalls } from '../clients/calls.ts';
import { inMemoryUsage, type InMemoryUsage } from './in-memory-usage.ts';

export interface InMemoryLedger {
  readonly calls: LedgerCalls;
  /** Sets what an account has, or had at an instant. */
  credit(accountId: string, credits: Partial<GetCreditsResponse>, at?: string): void;
  budget(accountId: string, scopeId: string, budget: BudgetProof): void;
  conserve(accountId: string, proof: GetConservationProofResponse): void;
  /** Sets what a key has used, or had used at an instant. */
  spend(keyHash: string, usage: Omit<KeyUsage, 'keyHash'>, at?: string): void;
  readonly usageCalls: () => number;
  /** The counted usage. */
  readonly usage: InMemoryUsage;
}

const keysMax = 100;
const noUsage = () => ({
  lifetimeNanoUsd: 0n,
  dailyNanoUsd: 0n,
  weeklyNanoUsd: 0n,
  monthlyNanoUsd: 0n,
});

const named = (id: string, at: string | undefined) => (at === undefined ? id : `${id} ${at}`);

/** The ledger's questions over maps. */
export function inMemoryLedger(): InMemoryLedger {
  const credits = new Map<string, Partial<GetCreditsResponse>>();
  const usages = new Map<string, Omit<KeyUsage, 'keyHash'>>();
  const budgets = new Map<string, BudgetProof[]>();
  const conservation = new Map<string, GetConservationProofResponse>();
  let usageCalls = 0;
  const usage = inMemoryUsage();
  return {
    usage,
    calls: {
      ...usage.calls,
      async getCredits({ accountId, at }) {
        const nothing = { totalCreditsNanoUsd: 0n, totalUsageNanoUsd: 0n };
        const freeRequestsToday = { limit: 50n, used: 0n };
        const none = { ...nothing, hasPurchased: false, purchasedNanoUsd: 0n, freeRequestsToday };
        return { ...none, ...credits.get(named(accountId, at)) };
      },
      async getBudgetProof({ accountId, scopeId }) {
        const at = '2026-11-18T20:00:00.000Z';
        return { at, budgets: budgets.get(`${accountId} ${scopeId}`) ?? [] };
      },
      async getConservationProof({ accountId, fromDay, toDay }) {
        const proof = conservation.get(accountId);
        if (!proof || fromDay > toDay) throw new Fault('invalid_request');
        return proof;
      },
      async getKeyUsage({ keyHashes, at, asOf }) {
        usageCalls++;
        if (keyHashes.length > keysMax) throw new Fault('invalid_request');
        return {
          usages: keyHashes.map((keyHash) => ({
            keyHash,
            ...(usages.get(named(keyHash, asOf ? at : undefined)) ?? {
              credits: noUsage(),
              byok: noUsage(),
            }),
          })),
        };
      },
    },
    credit: (accountId, given, at) => void credits.set(named(accountId, at), given),
    budget: (accountId, scopeId, budget) => void budgets.set(`${accountId} ${scopeId}`, [budget]),
    conserve: (accountId, proof) => void conservation.set(accountId, proof),
    spend: (keyHash, usage, at) => void usages.set(named(keyHash, at), usage),
    usageCalls: () => usageCalls,
  };
}

export const organizationKind = AccountKind.ACCOUNT_KIND_ORGANIZATION;
export const personalKind = AccountKind.ACCOUNT_KIND_PERSONAL;
