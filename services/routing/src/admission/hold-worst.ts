import { feeNanoUsd } from '@sluice/rating';
import { type Amounts, type Budget, type Hold, Shortage } from '@sluice/spend';
import { holdOrAsk, type Spender } from './hold-or-ask.ts';
import { allowanceOf, type ByokTerms } from '../byok/byok-terms.ts';
import { splitLeases, type Taken, withFreeRequests } from './free-requests.ts';

/** The worst that a request can cost; any of its attempts may be the one that answers. */
export interface WorstCase {
  /** With the platform's credentials. */
  readonly sharedNanoUsd: bigint;
  /** With own ones, at list price; undefined: there are none. */
  readonly listNanoUsd: bigint | undefined;
  /** Requests taken from the account's quota for free models: 1 if an attempt is subject to it. */
  readonly freeRequests: bigint;
}

/** Budgets in the order in which they refuse, of one account. */
export interface Budgets {
  readonly accountId: string;
  readonly all: readonly Budget[];
  readonly terms: ByokTerms;
}

/** A hold, and how it is split when an own credential answers. */
export interface HeldWorst extends WorstCase {
  readonly hold: Hold;
  /** The leases that pay one request to a free model each; none: it is not subject to the quota. */
  readonly freeRequestLeaseNumbers: readonly bigint[];
  /** The others, of all that is paid in money. */
  readonly moneyLeaseNumbers: readonly bigint[];
  /** The part of the list price that the allowance covers: no fee is taken on it. */
  readonly freeNanoUsd: bigint;
  readonly feeBasisPoints: number;
  /** The leases of the hold, by what they pay for an own credential. */
  readonly listLeaseNumbers: readonly bigint[];
  readonly feeLeaseNumbers: readonly bigint[];
  /** 0: none. */
  readonly allowanceLeaseNumber: bigint;
}

/**
 * Holds the worst case of all budgets or of none: of credits and of budgets that leave BYOK out the fee, of the others
 * the list price too, or what the platform's credentials may cost where that is more. What is free is held of the
 * month's allowance; where that has not enough, credits have to have the fee on the rest.
 */
export async function holdWorst(
  spender: Spender,
  budgets: Budgets,
  worst: WorstCase,
): Promise<HeldWorst | Shortage> {
  const { listNanoUsd } = worst;
  if (listNanoUsd === undefined) {
    const taken = sharedTaken(budgets, worst);
    const hold = await holdOrAsk(spender, taken.budgets, taken.amounts);
    return hold instanceof Shortage ? hold : heldShared(hold, budgets, worst);
  }
  for (const { freeOf, isLast } of freeAmounts(spender, budgets, listNanoUsd)) {
    const freeNanoUsd = freeOf();
    const taken = withFreeRequests(budgets.accountId, worst.freeRequests, {
      budgets: withAllowance(budgets, freeNanoUsd),
      amounts: amountsOf(budgets, worst, freeNanoUsd),
    });
    const answer = await holdOrAsk(spender, taken.budgets, taken.amounts);
    if (!(answer instanceof Shortage)) return heldOf(answer, budgets, { worst, freeNanoUsd });
    if (isLast && answer.lease.budget.scopeKind !== 'allowance') return answer;
  }
  throw new Error('nothing is free, and the allowance refuses it');
}

/** Returns the budgets and amounts of a hold if only the platform's credentials are tried. */
export function sharedTaken(
  { accountId, all }: Pick<Budgets, 'accountId' | 'all'>,
  { sharedNanoUsd, freeRequests }: WorstCase,
): Taken {
  return withFreeRequests(accountId, freeRequests, { budgets: all, amounts: sharedNanoUsd });
}

/** Returns true if the leases can hold the worst case now, without asking the ledger. */
export function fitsNow({ spending, clock }: Spender, budgets: Budgets, worst: WorstCase): boolean {
  const at = clock.now();
  const free = freeNow({ spending, clock }, budgets, worst.listNanoUsd ?? 0n);
  const amounts = amountsOf(budgets, worst, free);
  return budgets.all.every((budget, index) => {
    const amount = typeof amounts === 'bigint' ? amounts : (amounts[index] ?? 0n);
    return amount <= spending.affordableNanoUsd([budget], at);
  });
}

interface FreeAmount {
  readonly freeOf: () => bigint;
  /** True: a refusal by any budget but the allowance refuses the request. */
  readonly isLast: boolean;
}

/**
 * All of it, then what is here, then nothing: each is tried when the allowance lacks the one before. Once it is used up
 * it is only asked again before a request is refused.
 */
function* freeAmounts(
  spender: Spender,
  budgets: Budgets,
  listNanoUsd: bigint,
): Iterable<FreeAmount> {
  const { spending, clock } = spender;
  const allowance = allowanceOf(budgets.accountId, budgets.terms);
  const freeOf = () => freeNow(spender, budgets, listNanoUsd);
  if (budgets.terms.allowanceNanoUsd > 0n && listNanoUsd > 0n) {
    if (spending.isUsedUp(allowance, clock.now())) yield { freeOf, isLast: false };
    yield { freeOf: () => listNanoUsd, isLast: true };
    yield { freeOf, isLast: true };
  }
  yield { freeOf: () => 0n, isLast: true };
}

function freeNow(
  { spending, clock }: Pick<Spender, 'spending' | 'clock'>,
  { accountId, terms }: Budgets,
  listNanoUsd: bigint,
): bigint {
  if (terms.allowanceNanoUsd === 0n || listNanoUsd === 0n) return 0n;
  const left = spending.affordableNanoUsd([allowanceOf(accountId, terms)], clock.now());
  return left < listNanoUsd ? left : listNanoUsd;
}

function withAllowance({ all, accountId, terms }: Budgets, freeNanoUsd: bigint): readonly Budget[] {
  return freeNanoUsd > 0n ? [...all, allowanceOf(accountId, terms)] : all;
}

/** Returns the amount of each budget in money, then of the allowance if something is free. */
export function amountsOf(
  { all, terms }: Budgets,
  { sharedNanoUsd, listNanoUsd }: WorstCase,
  freeNanoUsd: bigint,
): Amounts {
  if (listNanoUsd === undefined) return sharedNanoUsd;
  const fee = feeNanoUsd(listNanoUsd - freeNanoUsd, terms.feeBasisPoints);
  const amounts = all.map(({ includeByok }) => {
    const own = includeByok ? fee + listNanoUsd : fee;
    return own > sharedNanoUsd ? own : sharedNanoUsd;
  });
  return freeNanoUsd > 0n ? [...amounts, freeNanoUsd] : amounts;
}

function heldOf(
  hold: Hold,
  { all, terms }: Budgets,
  { worst, freeNanoUsd }: { readonly worst: WorstCase; readonly freeNanoUsd: bigint },
): HeldWorst {
  const { requests, money: leaseNumbers } = splitLeases(hold, worst.freeRequests);
  return {
    ...worst,
    hold,
    freeRequestLeaseNumbers: requests,
    moneyLeaseNumbers: leaseNumbers,
    freeNanoUsd,
    feeBasisPoints: terms.feeBasisPoints,
    listLeaseNumbers: leaseNumbers.filter((_number, index) => all[index]?.includeByok),
    feeLeaseNumbers: leaseNumbers.filter((_number, index) => all[index]?.includeByok === false),
    allowanceLeaseNumber: leaseNumbers[all.length] ?? 0n,
  };
}

const none: readonly bigint[] = [];

/** A hold for the platform's credentials alone. */
export function heldShared(
  hold: Hold,
  { terms }: Pick<Budgets, 'terms'>,
  { sharedNanoUsd, listNanoUsd, freeRequests }: WorstCase,
): HeldWorst {
  const { requests, money } = splitLeases(hold, freeRequests);
  return {
    sharedNanoUsd,
    listNanoUsd,
    freeRequests,
    hold,
    freeRequestLeaseNumbers: requests,
    moneyLeaseNumbers: money,
    freeNanoUsd: 0n,
    feeBasisPoints: terms.feeBasisPoints,
    listLeaseNumbers: none,
    feeLeaseNumbers: none,
    allowanceLeaseNumber: 0n,
  };
}
