import type { Clock } from '@sluice/clock-and-ids';
import { Fault, invalidValue } from '@sluice/errors';
import type { VerifyRequest, VerifyResponse } from '@sluice/protos/sluice/analytics/v1/analytics';
import type { AnalyticsStore } from '../store/analytics-store.ts';
import { dayMs, hourMs, type Place, type Verifier, type Window } from '../verification/verifier.ts';

export interface VerifyRpcOptions {
  readonly verifier: Verifier;
  readonly store: AnalyticsStore;
  readonly clock: Clock;
}

/** Answers one call after the other; a second at a time is refused. */
export function verifyRpc({ verifier, store, clock }: VerifyRpcOptions) {
  let isRunning = false;
  return async (request: VerifyRequest): Promise<VerifyResponse> => {
    const window = windowOf(request, clock.now().getTime());
    const from = placeOf(request.after, window);
    if (isRunning) throw new Fault('unavailable', { message: 'Another check is under way' });
    isRunning = true;
    try {
      const readAt = await store.ledgerReadAt();
      const { differences, compared, next } = await verifier.page(window, from);
      return {
        differences: differences.map((one) => ({ ...one, atMs: BigInt(one.atMs) })),
        compared,
        next: next ? `${next.accountId}/${next.atMs}` : '',
        ledgerReadAtMs: readAt ? BigInt(readAt.getTime()) : undefined,
      };
    } finally {
      isRunning = false;
    }
  };
}

const daysMax = 3_660;
const accountPattern = /^[A-Za-z0-9_-]{1,128}$/;

function windowOf({ startMs, endMs, accountId }: VerifyRequest, nowMs: number): Window {
  const window = { startMs: Number(startMs), endMs: Number(endMs), accountId };
  if (window.startMs % hourMs !== 0) throw invalidValue('start_ms', 'is not the start of an hour');
  if (window.endMs % hourMs !== 0) throw invalidValue('end_ms', 'is not the end of an hour');
  if (window.startMs < 0 || window.startMs >= window.endMs)
    throw invalidValue('start_ms', 'is not before end_ms');
  if (window.endMs - window.startMs > daysMax * dayMs)
    throw invalidValue('start_ms', `is more than ${daysMax} days before end_ms`);
  if (window.endMs > nowMs) throw invalidValue('end_ms', 'is not in the past');
  if (accountId !== undefined && !accountPattern.test(accountId))
    throw invalidValue('account_id', 'is no id of an account');
  return window;
}

function placeOf(after: string, { startMs, endMs, accountId }: Window): Place | undefined {
  if (after === '') return undefined;
  const [, ofAccount = '', digits] = /^([^/]{1,128})\/(\d{1,15})$/.exec(after) ?? [];
  const atMs = Number(digits);
  const isWithin = atMs >= startMs && atMs < endMs && atMs % hourMs === 0;
  if (!isWithin || !accountPattern.test(ofAccount) || ofAccount !== (accountId ?? ofAccount))
    throw invalidValue('after', 'is not `next` of an answer to this question');
  return { accountId: ofAccount, atMs };
}
