import type { UsageFact } from '@sluice/usage-facts';
import { feeNanoUsd } from './byok-fee.ts';

/** The terms of own credentials that apply to an account. */
export interface FeeTerms {
  /** The list price without a fee, per account and UTC month. */
  readonly allowanceNanoUsd: bigint;
  /** Hundredths of a per cent of the list price beyond it. */
  readonly feeBasisPoints: number;
}

/** The amounts of a fact with an own credential. */
export type OwnAmounts = Pick<UsageFact, 'costNanoUsd' | 'feeNanoUsd' | 'freeNanoUsd'>;

interface Month {
  /** The sum that was free until now in the month, as it was billed and at the other prices. */
  billedNanoUsd: bigint;
  ratedNanoUsd: bigint;
}

/**
 * Splits list prices of own credentials into a free part and a fee, for facts in the order of their admission. Each
 * fact had what the allowance of its month held for it. If earlier facts of the month would have used more or less of
 * the allowance, that much less or more is left. At the prices in force nothing changes.
 */
export class Allowances {
  readonly #terms: FeeTerms;
  readonly #months = new Map<string, Month>();

  constructor(terms: FeeTerms) {
    this.#terms = terms;
  }

  /** Counts what was free in a month before the first fact. */
  begin(accountId: string, month: string, freeNanoUsd: bigint): void {
    this.#months.set(`${accountId} ${month}`, {
      billedNanoUsd: freeNanoUsd,
      ratedNanoUsd: freeNanoUsd,
    });
  }

  /** Counts a fact that keeps its price. */
  keep(fact: UsageFact): void {
    const month = this.#monthOf(fact);
    month.billedNanoUsd += fact.freeNanoUsd;
    month.ratedNanoUsd += fact.freeNanoUsd;
  }

  /** Returns the amounts at another list price. */
  rate(fact: UsageFact, listNanoUsd: bigint): OwnAmounts {
    const month = this.#monthOf(fact);
    const freeNanoUsd = this.#freeOf(fact, listNanoUsd, month);
    month.billedNanoUsd += fact.freeNanoUsd;
    month.ratedNanoUsd += freeNanoUsd;
    const fee = feeOf(fact, listNanoUsd - freeNanoUsd, this.#terms.feeBasisPoints);
    return { costNanoUsd: listNanoUsd, freeNanoUsd, feeNanoUsd: fee };
  }

  #freeOf(fact: UsageFact, listNanoUsd: bigint, { billedNanoUsd, ratedNanoUsd }: Month): bigint {
    // Calls of tools have no allowance.
    if (fact.apiType === 'tool') return 0n;
    const held = fact.freeNanoUsd + billedNanoUsd - ratedNanoUsd;
    const isWhollyFree = fact.freeNanoUsd === fact.costNanoUsd;
    const left = this.#terms.allowanceNanoUsd - ratedNanoUsd;
    const room = isWhollyFree && left > held ? left : held;
    if (room <= 0n) return 0n;
    return listNanoUsd < room ? listNanoUsd : room;
  }

  #monthOf({ accountId, admittedAt }: UsageFact): Month {
    const key = `${accountId} ${admittedAt.slice(0, 7)}`;
    const known = this.#months.get(key) ?? { billedNanoUsd: 0n, ratedNanoUsd: 0n };
    this.#months.set(key, known);
    return known;
  }
}

const wholeBasisPoints = 10_000n;

/** Returns the fee at the usual rate, unless the fact shows that it was admitted at another one. */
function feeOf(fact: UsageFact, amountNanoUsd: bigint, usual: number): bigint {
  // Calls of tools cost no fee.
  if (fact.apiType === 'tool') return 0n;
  const paidFor = fact.costNanoUsd - fact.freeNanoUsd;
  if (feeNanoUsd(paidFor, usual) === fact.feeNanoUsd) return feeNanoUsd(amountNanoUsd, usual);
  if (paidFor === 0n) return 0n;
  const shown = Number((fact.feeNanoUsd * wholeBasisPoints) / paidFor);
  if (feeNanoUsd(paidFor, shown) === fact.feeNanoUsd) return feeNanoUsd(amountNanoUsd, shown);
  return (fact.feeNanoUsd * amountNanoUsd) / paidFor;
}
