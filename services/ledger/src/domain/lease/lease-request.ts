import { amountNanoUsdMax } from '@sluice/amounts';
import { isInstant } from '@sluice/usage-facts';
import { freeRequestWindowKinds } from '../limit/free-requests.ts';
import { type CountedWindowKind, windowAt, windowKinds } from '../window/window.ts';

/** A cap on the spend of a scope in one window of time. */
export interface Budget {
  readonly accountId: string;
  readonly scopeKind: string;
  readonly scopeId: string;
  readonly windowKind: string;
  readonly windowStart: string;
}

/** A replica's request for one of its leases. Amounts are nano-USD, and totals of the lease. */
export interface LeaseRequest {
  readonly number: bigint;
  readonly budget: Budget;
  /** The total that the replica has been granted, as far as it knows. */
  readonly grantedNanoUsd: bigint;
  readonly returnedNanoUsd: bigint;
  readonly needNanoUsd: bigint;
  readonly wantedNanoUsd: bigint;
  readonly usualHoldNanoUsd: bigint;
  /** Applies until the ledger has received the limit itself; absent: no cap. */
  readonly limitNanoUsd?: bigint | undefined;
  readonly includeByok: boolean;
  readonly close: boolean;
  /** The holds of running requests; absent: not known. */
  readonly heldNanoUsd?: bigint | undefined;
}

const scopeKinds: readonly string[] = [
  'account',
  'key',
  'workspace',
  'guardrail',
  'allowance',
  'free_requests',
];

/** A lease turns over far more in its life than one amount can be. */
const totalMax = 2n ** 62n;
const numberMax = 2n ** 63n - 1n;
const scopePattern = /^[A-Za-z0-9_-]{1,128}$/;
/** A guardrail counts each of its assignees on their own: its id, what kind it is, and its id. */
const guardrailScopePattern = /^[A-Za-z0-9_-]{1,64}:(?:key|member|workspace):[A-Za-z0-9_-]{1,128}$/;
const tokenPattern = /^[A-Za-z0-9_-]{1,128}$/;

/** Why requests cannot be answered; undefined when they can. */
export function leaseRequestsProblem(requests: readonly LeaseRequest[]): string | undefined {
  const numbers = new Set(requests.map(({ number }) => number));
  const budgets = new Set(requests.map(({ budget }) => budgetText(budget)));
  if (numbers.size < requests.length) return 'a lease is asked for twice';
  if (budgets.size < requests.length) return 'a budget is asked for twice';
  for (const request of requests) {
    const problem = budgetProblem(request.budget) ?? requestProblem(request);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** One text per budget: the order in which budgets are locked. */
export function budgetText(budget: Budget): string {
  const { accountId, scopeKind, scopeId, windowKind, windowStart } = budget;
  return [accountId, scopeKind, scopeId, windowKind, windowStart].join('/');
}

function budgetProblem(budget: Budget): string | undefined {
  if (!tokenPattern.test(budget.accountId)) return 'account_id is malformed';
  if (!scopeKinds.includes(budget.scopeKind)) return 'scope_kind is not known';
  const pattern = budget.scopeKind === 'guardrail' ? guardrailScopePattern : scopePattern;
  if (!pattern.test(budget.scopeId)) return 'scope_id is malformed';
  return isWindow(budget) ? undefined : 'window_kind and window_start are no window';
}

function requestProblem(request: LeaseRequest): string | undefined {
  const { number, grantedNanoUsd, returnedNanoUsd, needNanoUsd, wantedNanoUsd, close } = request;
  if (number < 1n || number > numberMax) return 'number is no number of a lease';
  const isWithin = (max: bigint) => (amount: bigint) => amount >= 0n && amount <= max;
  const amounts = [needNanoUsd, wantedNanoUsd, request.usualHoldNanoUsd, request.heldNanoUsd ?? 0n];
  if (!amounts.every(isWithin(amountNanoUsdMax))) return 'an amount is negative or absurd';
  if ((request.limitNanoUsd ?? 0n) < 0n) return 'a limit is negative';
  if (![grantedNanoUsd, returnedNanoUsd].every(isWithin(totalMax)))
    return 'a total is negative or absurd';
  if (close && (needNanoUsd > 0n || wantedNanoUsd > 0n))
    return 'a lease that is closed asks for nothing';
  return undefined;
}

function isWindow({ scopeKind, windowKind, windowStart }: Budget): boolean {
  const kinds: readonly CountedWindowKind[] =
    scopeKind === 'free_requests' ? freeRequestWindowKinds : windowKinds;
  const kind = kinds.find((known) => known === windowKind);
  // One spelling only, because the text itself is locked.
  if (kind === undefined || !isInstant(windowStart)) return false;
  return windowAt(kind, new Date(windowStart)).start.toISOString() === windowStart;
}
