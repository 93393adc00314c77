import { failurePart } from '@sluice/client-errors';
import type { Fault } from '@sluice/errors';
import type { PlannedAttempt } from '../selection/plan.ts';
import type { Beginning, Outcome } from '../usage/journal/outcome.ts';
import type { Intent } from '../usage/journal/record.ts';
import type { CallRecord } from './call-record.ts';
import type { TurnDeps } from './deps.ts';
import type { HeldTurn } from './turn.ts';
import type { Meter } from './meter.ts';
import { meterOf } from './meter-of.ts';

const nothing = { inputTokens: 0, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0 };

interface Failed {
  readonly planned: PlannedAttempt;
  readonly intent: Intent;
  readonly fault: Fault;
  readonly record: CallRecord;
  readonly beginning: Beginning;
}

/**
 * Writes the usage fact of an attempt that gave no output and may be billed. The customer pays nothing for it, so the
 * hold is left to the next attempt. Not awaited: an intent that a crash leaves without an end becomes a fact too.
 */
export function settleFailed(
  { journal, clock }: Pick<TurnDeps, 'journal' | 'clock'>,
  turn: HeldTurn,
  { planned, intent, fault, record, beginning }: Failed,
): void {
  const meter = meterOf(turn, { planned, beginning });
  const { inputMedia, cancellation } = turn;
  const { isClientGone } = cancellation;
  const ended = endOfFailed(meter, record, { fault, isClientGone, inputMedia, at: clock.now() });
  // The attempt that ends the request takes the request of a free model's quota.
  const uncounted = { ...intent, freeRequestLeaseNumbers: [] };
  // A spool that cannot be written ends the process.
  journal.settle(uncounted, ended).durable.catch(() => {});
}

interface FailedEnd extends Pick<Outcome, 'inputMedia'> {
  readonly fault: Fault;
  readonly isClientGone: boolean;
  readonly at: Date;
}

/** Returns the outcome of an attempt without output, computed from the parts that were read. */
export function endOfFailed(
  meter: Meter,
  record: CallRecord,
  { fault, isClientGone, inputMedia, at }: FailedEnd,
): Outcome {
  for (const part of record.parts) meter.add(part);
  if (!isClientGone) meter.add(failurePart(fault));
  const seen = meter.outcome(at, { isClientGone, inputMedia });
  return record.isAnswered ? seen : { ...seen, usage: nothing, isUnanswered: true };
}
