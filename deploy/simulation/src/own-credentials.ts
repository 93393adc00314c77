import type { SimulatedCap } from './caps.ts';
import { ownAccountIds } from './caps.ts';
import type { Asked } from './clients.ts';
import type { ProviderCall } from './provider.ts';
import { costOf, feeOf, worstOf } from './sums.ts';

/** An amount that was charged or may be charged. For an own credential: the list price, the fee and the free part. */
export interface Charge {
  readonly isByok: boolean;
  readonly costNanoUsd: bigint;
  readonly feeNanoUsd: bigint;
  readonly freeNanoUsd: bigint;
}

/** Returns the part of a charge that a budget counts. */
export function takenOf({ scopeKind, limit }: SimulatedCap, charge: Charge): bigint {
  const { isByok, costNanoUsd, feeNanoUsd, freeNanoUsd } = charge;
  if (scopeKind === 'allowance') return freeNanoUsd;
  if (!isByok) return costNanoUsd;
  return limit?.includeByok === true ? feeNanoUsd + costNanoUsd : feeNanoUsd;
}

const nothing = { costNanoUsd: 0n, feeNanoUsd: 0n, freeNanoUsd: 0n };

/**
 * A call as the provider sees it, with what only its row knows. What a crash cut off is what was seen of it; what the
 * provider gave up costs its customer nothing, unless a crash hid that.
 */
export function chargeOf(
  call: ProviderCall,
  row: (Charge & { readonly outcome: string }) | undefined,
): Charge {
  if (call.hasFailed) return row ?? { isByok: call.isOwn, ...nothing };
  if (row && call.isOwn && call.state !== 'open') return row;
  const costNanoUsd = call.state === 'open' ? worstOf(call) : costOf(call);
  return { isByok: call.isOwn, costNanoUsd, feeNanoUsd: 0n, freeNanoUsd: 0n };
}

interface Ended {
  readonly isByok: boolean;
  readonly outcome: string;
  readonly estimated: boolean;
}

/**
 * True if the bill of an own credential counts only the output that routing saw before the attempt broke off. A crash
 * hides the end of an answer. A provider that gives an answer up may charge for tokens that it never sent, also when
 * the client has left before: the row is an estimate then. In every other case the bill equals the provider's charge.
 */
export const isSeenOnly = (
  { isByok, outcome, estimated }: Ended,
  call: Pick<ProviderCall, 'hasFailed'> | undefined,
) => {
  if (!isByok) return false;
  if (outcome === 'interrupted') return true;
  return (
    call?.hasFailed === true && (outcome === 'failed' || (outcome === 'cancelled' && estimated))
  );
};

/** Why a row of an own credential cannot be; undefined when it can, or is of none. */
export function byokProblem(
  row: Charge & Ended & { readonly usageId: string },
  call: ProviderCall | undefined,
): string | undefined {
  if (row.isByok !== (call?.isOwn ?? row.isByok)) return `${row.usageId} is of another credential`;
  if (!row.isByok) return undefined;
  // An own key of a search engine has no fee.
  const fee = call?.search ? 0n : feeOf(row.costNanoUsd - row.freeNanoUsd);
  if (row.feeNanoUsd !== fee) return `${row.usageId} has a fee of ${row.feeNanoUsd}, not of ${fee}`;
  const served = call ? costOf(call) : 0n;
  if (isSeenOnly(row, call) && row.costNanoUsd > served)
    return `${row.usageId} is billed ${row.costNanoUsd} where ${served} was served`;
  return undefined;
}

/** Requests that may be made with an own credential, and are refused only where that one cannot be paid either. */
export const mayUseOwn = ({ key, model }: Asked) =>
  model === 'sim/own' && ownAccountIds.includes(key.accountId);

/** True: with an own credential it would not fit; the least room that each budget had, by its cap. */
export function isOwnFull(
  need: bigint,
  rooms: readonly (readonly [SimulatedCap, bigint])[],
): boolean {
  const fee = feeOf(need);
  const isNothingFree = rooms.some(([cap, room]) => cap.scopeKind === 'allowance' && room < need);
  return rooms.some(([cap, room]) => {
    if (cap.scopeKind === 'allowance') return false;
    if (room < 0n) return true;
    return room < (cap.limit?.includeByok === true ? need + fee : isNothingFree ? fee : 0n);
  });
}
