import { Fault } from '@sluice/errors';
import type { Database } from '@sluice/read-model';
import { boundedLimit } from '@sluice/amounts';
import { type BudgetState, grantNanoUsd } from '@sluice/spend';
import { freeRequestLimit } from '../domain/limit/free-requests.ts';
import type { LeaseRequest } from '../domain/lease/lease-request.ts';
import {
  countReplicas,
  recordReplica,
  newestEpoch,
  type ReplicaEpoch,
} from '../store/record-replica.ts';
import { lockBudgets } from '../store/lock-budgets.ts';
import { type BudgetRow, readBudgets } from '../store/read-budgets.ts';
import { forgetClosedLeases, type LeaseChange, writeLeases } from '../store/write-leases.ts';

/** The state of a lease and its budget. Nano-USD. */
export interface LeaseAnswer extends BudgetState {
  readonly number: bigint;
  readonly grantedNanoUsd: bigint;
  readonly countedNanoUsd: bigint;
}

export interface LeaseAnswers {
  readonly leases: readonly LeaseAnswer[];
  readonly replicas: bigint;
}

/**
 * Grants, renews and takes back leases in one transaction. A grant locks its budget,
 * so settled + leased ≤ limit holds after each grant. Throws conflict for an epoch that has ended.
 */
export async function acquireLeases(
  database: Database,
  writer: ReplicaEpoch,
  requests: readonly LeaseRequest[],
): Promise<LeaseAnswers> {
  await recordReplica(database, writer);
  return await database.transaction(async (transaction) => {
    const newest = await newestEpoch(transaction, writer.replica, 'FOR SHARE');
    if (newest !== writer.epoch)
      throw new Fault('conflict', { message: 'A newer epoch of this replica is known' });
    const replicas = await countReplicas(transaction);
    if (requests.length === 0) return { leases: [], replicas };
    const granting = requests.filter(asksForMore).map(({ budget }) => budget);
    await lockBudgets(transaction, granting);
    const rows = await readBudgets(transaction, writer, requests);
    const decided = requests.map((request, index) => decide(request, rows[index], replicas));
    const changes = decided.flatMap(({ change }) => (change ? [change] : []));
    await writeLeases(transaction, writer, changes);
    if (requests.some(({ close }) => close)) await forgetClosedLeases(transaction, writer);
    return { leases: decided.map(({ answer }) => answer), replicas };
  });
}

export interface Decided {
  readonly answer: LeaseAnswer;
  /** If undefined, there is nothing to write. */
  readonly change: LeaseChange | undefined;
}

/** Returns what the rules grant a lease on one snapshot of its budget. */
export function decide(
  request: LeaseRequest,
  row: BudgetRow | undefined,
  replicas: bigint,
): Decided {
  if (!row) throw new Error('a budget was asked for and not read');
  if (row.is_foreign === true)
    throw new Fault('invalid_request', { message: 'The lease is of another budget' });
  const granted = row.granted ?? 0n;
  const returned = row.returned ?? 0n;
  const counted = row.counted ?? 0n;
  const nowReturned = request.returnedNanoUsd > returned ? request.returnedNanoUsd : returned;
  const out = (back: bigint) => positive(granted - back - counted);
  const budget: BudgetState = {
    limitNanoUsd: limitOf(request, row),
    settledNanoUsd: row.credits + (includesByok(request, row) ? row.byok : 0n),
    leasedNanoUsd: row.leased - out(returned) + out(nowReturned),
  };
  const grant =
    row.is_closed === true || !asksForMore(request)
      ? 0n
      : grantNanoUsd(
          budget,
          { ...request, grantedNanoUsd: granted, knownNanoUsd: request.grantedNanoUsd },
          replicas,
        );
  const isNew = row.granted === null && (grant > 0n || request.close);
  const isOther =
    grant > 0n ||
    nowReturned > returned ||
    (request.close && !row.is_closed) ||
    (request.heldNanoUsd ?? row.held) !== row.held;
  return {
    answer: {
      ...budget,
      number: request.number,
      grantedNanoUsd: granted + grant,
      countedNanoUsd: counted,
      leasedNanoUsd: budget.leasedNanoUsd + grant,
    },
    change:
      isNew || (row.granted !== null && isOther) ? { request, grantNanoUsd: grant } : undefined,
  };
}

/** An account without credits has a limit of 0; a key may be newer than the last fact of the ledger. */
function limitOf(
  { budget, limitNanoUsd }: LeaseRequest,
  { limit, purchased }: BudgetRow,
): bigint | undefined {
  if (budget.scopeKind === 'free_requests')
    return freeRequestLimit(budget.windowKind, purchased ?? 0n);
  if (limit !== null || budget.scopeKind === 'account') return limit ?? 0n;
  // A replica of an earlier version may name a limit above the bound.
  return limitNanoUsd === undefined ? undefined : boundedLimit(limitNanoUsd);
}

function includesByok(request: LeaseRequest, row: BudgetRow): boolean {
  return row.limit === null ? request.includeByok : row.include_byok === true;
}

function asksForMore({ needNanoUsd, wantedNanoUsd }: LeaseRequest): boolean {
  return needNanoUsd > 0n || wantedNanoUsd > 0n;
}

function positive(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}
