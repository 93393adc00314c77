import type { LastPart } from '@sluice/inference';
import { tierPrices } from '@sluice/rating';
import { type ActiveSpan, traceField } from '@sluice/telemetry';
import type { TurnDeps } from './deps.ts';
import { checkedSoFar, type OutputChecked } from './check-output.ts';
import type { HeldTurn } from './turn.ts';
import type { Meter } from './meter.ts';
import { type UsageReport, usageReport } from '../request/usage-report.ts';
import type { PlannedAttempt } from '../selection/plan.ts';
import { costsOf } from '../admission/split-hold.ts';
import type { Outcome } from '../usage/journal/outcome.ts';
import type { Intent } from '../usage/journal/record.ts';
import { endUpstreamSpan } from './upstream-span.ts';

/** A turn whose usage is written. */
export interface TurnEnd {
  /** Resolves when the usage fact is on disk. No client may learn of the end of its answer before. */
  readonly durable: Promise<unknown>;
  /** The last part of the answer. */
  readonly last: LastPart;
  /** The number of the next part of the response. */
  readonly nextPart: number;
  readonly served: PlannedAttempt;
  readonly usage: UsageReport;
  /** Unix seconds. */
  readonly completedAt: number;
  /** The tier that served, as its provider named it; undefined: it did not. */
  readonly serviceTier: string | undefined;
}

interface Served {
  readonly last: LastPart;
  readonly intent: Intent;
  readonly span: ActiveSpan | undefined;
  readonly planned: PlannedAttempt;
  readonly meter: Meter;
}

/**
 * Turns the hold into a usage fact. Only when the fact is on disk may the client learn of the end. A loop of tools goes
 * on before: the intent of its next turn, which waits for the disk too, is there behind the fact.
 */
export function settle(
  { spending, journal, clock, metrics, logger }: TurnDeps,
  { held, cancellation, startedMs, call, inputMedia, outputs, firstPart }: HeldTurn,
  { last, intent: admitted, span, planned, meter }: Served,
): TurnEnd {
  const completedAt = clock.now();
  const { isClientGone } = cancellation;
  const output = checkedSoFar(outputs);
  const ended = withheld(meter.outcome(completedAt, { isClientGone, inputMedia }), output);
  const prices = tierPrices(planned, ended.serviceTier, ended.usage);
  const isAsAdmitted = prices === admitted.prices && !output.isFound;
  const labels = output.isFound ? { ...admitted.labels, guardrailInvoked: true } : admitted.labels;
  const intent = isAsAdmitted ? admitted : { ...admitted, prices, ...(labels && { labels }) };
  const { charge, durable } = journal.settle(intent, ended);
  // The caller that awaits it gets the failure.
  durable.catch(() => {});
  if (span) endUpstreamSpan(span, ended);
  spending.settle(held.hold, costsOf(held, charge));
  const { provider, model } = intent;
  const durationMs = performance.now() - startedMs;
  metrics.genAiOperationDuration.record(durationMs / 1_000, {
    'gen_ai.provider.name': provider,
    'gen_ai.request.model': model,
    ...(ended.outcome === 'failed' && { 'error.type': ended.outcome }),
  });
  const { inputTokens, outputTokens } = ended.usage;
  metrics.genAiTokenUsage.record(inputTokens, {
    'gen_ai.request.model': model,
    'gen_ai.token.type': 'input',
  });
  metrics.genAiTokenUsage.record(outputTokens, {
    'gen_ai.request.model': model,
    'gen_ai.token.type': 'output',
  });
  // A canceled stream has no usage. That is not a failure of the provider.
  if (charge.estimated && ended.outcome !== 'cancelled') metrics.usageEstimated.add(1);
  for (const [difference, count] of meter.differences)
    metrics.answersToldTwice.add(count, { difference });
  if (charge.providerUsage.length > 0)
    metrics.usageIncredible.add(1, { reason: charge.estimateReason });
  logger.debug('a generation has ended', {
    requestId: call.requestId,
    ...traceField(call.traceparent),
    generationId: intent.generationId,
    model,
    provider,
    outcome: ended.outcome,
    durationMs,
  });
  return {
    durable,
    last,
    nextPart: firstPart + meter.partCount,
    served: planned,
    usage: usageReport(ended.usage, prices, charge),
    completedAt: Math.floor(completedAt.getTime() / 1_000),
    serviceTier: ended.serviceTier,
  };
}

/** The upstream answered to its end, but a guardrail did not let the client have it: the finish reason says so. */
function withheld(outcome: Outcome, { isWithheld }: OutputChecked): Outcome {
  const isEnded = outcome.outcome === 'completed' || outcome.outcome === 'incomplete';
  if (!isWithheld || !isEnded) return outcome;
  return { ...outcome, outcome: 'incomplete', finishReason: 'content-filter' };
}
