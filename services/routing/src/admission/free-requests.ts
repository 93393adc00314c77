import { amountAt, type Amounts, type Budget, type Hold } from '@sluice/spend';

/** A model that is called, and the account's own credential for it where there is one. */
export interface Called {
  readonly model: { readonly id: string };
  readonly credential?: { readonly id: string } | undefined;
}

/** True: the attempt counts against the account's quota of requests to free models. */
export function takesFreeRequest({ model, credential }: Called): boolean {
  return credential === undefined && model.id.endsWith(':free');
}

/**
 * The quota as budgets in requests, in the order in which they refuse. The ledger knows their limits: 20 a minute, and
 * 50 a day or 1,000 for those who bought credits.
 */
export function freeRequestBudgets(accountId: string): readonly Budget[] {
  const budget = {
    accountId,
    scopeKind: 'free_requests',
    scopeId: accountId,
    limitNanoUsd: undefined,
    includeByok: false,
  } as const;
  return [
    { ...budget, interval: 'daily' },
    { ...budget, interval: 'minute' },
  ];
}

const windows = 2;

/** The budgets of a hold, and the amounts it takes of them. */
export interface Taken {
  readonly budgets: readonly Budget[];
  readonly amounts: Amounts;
}

/** Puts the quota before the budgets in money, where a request takes of it: a rate refuses before money does. */
export function withFreeRequests(accountId: string, freeRequests: bigint, taken: Taken): Taken {
  if (freeRequests === 0n) return taken;
  const { budgets, amounts } = taken;
  return {
    budgets: [...freeRequestBudgets(accountId), ...budgets],
    amounts: [
      ...Array.from({ length: windows }, () => freeRequests),
      ...budgets.map((_budget, index) => amountAt(amounts, index)),
    ],
  };
}

/** Returns the leases of a hold that pay requests, and those that pay money. */
export function splitLeases(
  { leaseNumbers }: Hold,
  freeRequests: bigint,
): { readonly requests: readonly bigint[]; readonly money: readonly bigint[] } {
  if (freeRequests === 0n) return { requests: none, money: leaseNumbers };
  return { requests: leaseNumbers.slice(0, windows), money: leaseNumbers.slice(windows) };
}

const none: readonly bigint[] = [];
