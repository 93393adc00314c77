import { Fault } from '@sluice/errors';
import { grantNanoUsd, type LeaseAnswer, type LeaseRequest } from '../index.ts';

export type AskedBudget = LeaseRequest['budget'];

export interface AuthorityFigures {
  /** Returns undefined if the authority has not received a limit. */
  limitNanoUsd(budget: AskedBudget): bigint | undefined;
  settledNanoUsd(budget: AskedBudget): bigint;
}

/** The part of a usage fact that names its leases. */
export interface PaidFact {
  readonly replica: string;
  readonly leaseEpoch: bigint;
  readonly leaseNumbers: readonly bigint[];
  readonly costNanoUsd: bigint;
}

interface LeaseRow {
  readonly budget: AskedBudget;
  granted: bigint;
  returned: bigint;
  counted: bigint;
  isClosed: boolean;
}

/** The ledger's rules about leases without its database. Limits and settled usage are the owner's. */
export class InMemoryAuthority {
  readonly #figures: AuthorityFigures;
  readonly #epochs = new Map<string, bigint>();
  readonly #leases = new Map<string, LeaseRow>();

  constructor(figures: AuthorityFigures) {
    this.#figures = figures;
  }

  acquire(replica: string, epoch: bigint, requests: readonly LeaseRequest[]) {
    if ((this.#epochs.get(replica) ?? 0n) > epoch) throw new Fault('conflict');
    this.#epochs.set(replica, epoch);
    const leases = requests.map((request) => this.#answer(`${replica}/${epoch}`, request));
    return { leases, replicas: BigInt(this.#epochs.size) };
  }

  /** To be called once per fact, when it becomes settled. */
  count({ replica, leaseEpoch, leaseNumbers, costNanoUsd }: PaidFact): void {
    for (const number of leaseNumbers) {
      const row = this.#leases.get(`${replica}/${leaseEpoch}/${number}`);
      if (row) row.counted += costNanoUsd;
    }
  }

  closeEpochs(replica: string, epoch: bigint): void {
    if ((this.#epochs.get(replica) ?? 0n) > epoch) throw new Fault('conflict');
    this.#epochs.set(replica, epoch);
    for (const key of this.#leases.keys()) {
      const [owner, ofEpoch] = key.split('/');
      if (owner === replica && BigInt(ofEpoch ?? 0) < epoch) this.#leases.delete(key);
    }
  }

  leasedNanoUsd(budget: AskedBudget): bigint {
    let sum = 0n;
    for (const row of this.#leases.values()) if (sameBudget(row.budget, budget)) sum += out(row);
    return sum;
  }

  #answer(writer: string, request: LeaseRequest): LeaseAnswer {
    const key = `${writer}/${request.number}`;
    const { budget } = request;
    const row: LeaseRow = this.#leases.get(key) ?? {
      budget,
      granted: 0n,
      returned: 0n,
      counted: 0n,
      isClosed: false,
    };
    if (!sameBudget(row.budget, budget)) throw new Fault('invalid_request');
    if (request.returnedNanoUsd > row.returned) row.returned = request.returnedNanoUsd;
    if (request.close) {
      row.isClosed = true;
      row.returned += out(row);
    }
    this.#leases.set(key, row);
    const state = {
      limitNanoUsd: this.#figures.limitNanoUsd(budget) ?? request.limitNanoUsd,
      settledNanoUsd: this.#figures.settledNanoUsd(budget),
      leasedNanoUsd: this.leasedNanoUsd(budget),
    };
    const asked = { ...request, grantedNanoUsd: row.granted, knownNanoUsd: request.grantedNanoUsd };
    const grant = row.isClosed ? 0n : grantNanoUsd(state, asked, BigInt(this.#epochs.size));
    row.granted += grant;
    return {
      ...state,
      number: request.number,
      grantedNanoUsd: row.granted,
      countedNanoUsd: row.counted,
      leasedNanoUsd: state.leasedNanoUsd + grant,
    };
  }
}

function out({ granted, returned, counted }: LeaseRow): bigint {
  const amount = granted - returned - counted;
  return amount > 0n ? amount : 0n;
}

function sameBudget(a: AskedBudget, b: AskedBudget): boolean {
  return (
    a.accountId === b.accountId &&
    a.scopeKind === b.scopeKind &&
    a.scopeId === b.scopeId &&
    a.windowKind === b.windowKind &&
    a.windowStart === b.windowStart
  );
}
