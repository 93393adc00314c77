import { requestBoundaries, tokenBoundaries, waitBoundaries } from './boundaries.ts';
import type { Instruments } from './instruments.ts';
import { observerMetrics } from './observer-metrics.ts';
import { sandboxMetrics } from './sandbox-metrics.ts';
import { toolMetrics } from './tool-metrics.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** `output`, or the code of the fault that ended the attempt. Other codes are exported when they occur. */
const attemptOutcomes = [
  'output',
  'credential_unavailable',
  'internal',
  'provider_overloaded',
  'provider_rate_limited',
  'provider_rejected',
  'provider_timeout',
  'provider_unavailable',
] as const;

const spendRefusals = [
  'credits_exhausted',
  'guardrail_budget_exceeded',
  'key_limit_exceeded',
  'token_limit_exceeded',
  'workspace_budget_exceeded',
] as const;

/** Returns every counter and histogram of Sluice. A key, account or workspace id is never a label. */
export function createMetrics(instruments: Instruments) {
  return {
    ...requestMetrics(instruments),
    ...gatewayMetrics(instruments),
    ...toolMetrics(instruments),
    ...sandboxMetrics(instruments),
    ...spendMetrics(instruments),
    ...serviceMetrics(instruments),
    ...observerMetrics(instruments),
  };
}

function requestMetrics(instruments: Instruments) {
  return {
    httpServerRequestDuration: instruments.histogram<
      'http.request.method' | 'http.route' | 'http.response.status_code'
    >(
      'http.server.request.duration',
      's',
      'Seconds from a request to the end of its response.',
      requestBoundaries,
    ),
    genAiOperationDuration: instruments.histogram<
      'gen_ai.provider.name' | 'gen_ai.request.model' | 'error.type'
    >(
      'gen_ai.client.operation.duration',
      's',
      'Seconds from an upstream call to its end.',
      requestBoundaries,
    ),
    genAiTimeToFirstChunk: instruments.histogram<'gen_ai.provider.name' | 'gen_ai.request.model'>(
      'gen_ai.client.operation.time_to_first_chunk',
      's',
      'Seconds from an upstream call to its first output.',
      requestBoundaries,
    ),
    genAiTokenUsage: instruments.histogram<'gen_ai.request.model' | 'gen_ai.token.type'>(
      'gen_ai.client.token.usage',
      '{token}',
      'Number of tokens of a generation.',
      tokenBoundaries,
    ),
  };
}

function gatewayMetrics(instruments: Instruments) {
  return {
    /** `credential` is own or platform. */
    gatewayAttempts: instruments.counter<'outcome' | 'credential'>(
      'gateway.attempts',
      'Number of attempts at an endpoint.',
      { outcome: attemptOutcomes, credential: ['own', 'platform'] },
    ),
    routingEjections: instruments.counter(
      'routing.endpoints.ejections',
      'Number of times that an endpoint was skipped from then on, after failures.',
    ),
    routingProbes: instruments.counter(
      'routing.endpoints.probes',
      'Number of requests that tried a skipped endpoint again.',
    ),
    /** `outcome` is made, or refused because of too many lately. */
    routingRetries: instruments.counter<'outcome'>('routing.retries', 'Number of second tries.', {
      outcome: ['made', 'refused'],
    }),
    /** `reason` says why routing admits nothing, or what its load shedder found. */
    routingRefusals: instruments.counter<'reason'>(
      'routing.refusals',
      'Number of inference requests that routing refused before it read them.',
      { reason: ['starting', 'stopping', 'disk', 'usage', 'full', 'share', 'slow'] },
    ),
    /** `reason` is late or broken. */
    routingTextsUnscanned: instruments.counter<'reason'>(
      'routing.texts.unscanned',
      'Number of texts that content filters did not scan to the end.',
      { reason: ['late', 'broken'] },
    ),
    gatewayStreamsAborted: instruments.counter(
      'gateway.stream.aborted',
      'Number of streams that ended in response.failed.',
    ),
    /** `reason` is bodies where there is no memory for a large body, or what the load shedder found. */
    gatewayOverloadRefusals: instruments.counter<'reason'>(
      'gateway.overload.refusals',
      'Number of requests that the gateway refused because of too much load.',
      { reason: ['full', 'share', 'slow', 'bodies'] },
    ),
    gatewayOverloadWait: instruments.histogram(
      'gateway.overload.wait',
      's',
      'Seconds from the arrival of a queued inference request to its start.',
      waitBoundaries,
    ),
    /** `reason` is full or failed. */
    gatewayRefusalsDropped: instruments.counter<'reason'>(
      'gateway.refusals.dropped',
      'Number of refusals that the audit log does not have.',
      { reason: ['full', 'failed'] },
    ),
  };
}

function spendMetrics(instruments: Instruments) {
  return {
    spendRefusals: instruments.counter<'reason'>(
      'spend.refusals',
      'Number of requests refused by a balance, a limit or a budget.',
      { reason: spendRefusals },
    ),
    /** `outcome` is held, refused or unavailable. */
    spendWait: instruments.histogram<'outcome'>(
      'spend.wait',
      's',
      'Seconds from the question of a request to the answer of the ledger.',
      waitBoundaries,
    ),
    /** `purpose` is refill, renew or close. */
    spendLeaseRequests: instruments.counter<'purpose'>(
      'spend.lease.requests',
      'Number of leases in calls to the ledger.',
      { purpose: ['refill', 'renew', 'close'] },
    ),
    /** `outcome` is answered or failed. */
    spendAuthorityDuration: instruments.histogram<'outcome'>(
      'spend.authority.duration',
      's',
      'Seconds from a call to the ledger about leases to its end.',
      waitBoundaries,
    ),
    /** Must stay near 0. */
    usageEstimated: instruments.counter(
      'usage.estimated',
      'Number of generations billed on our own estimate, canceled ones excluded.',
    ),
    usageIncredible: instruments.counter<'reason'>(
      'usage.incredible',
      'Number of generations with a usage report that cannot be charged.',
      { reason: ['above_hold', 'absurd_usage'] },
    ),
    /** `difference` is short, contrary or late. */
    answersToldTwice: instruments.counter<'difference'>(
      'answers.told_twice',
      'Number of texts of providers whose whole form differs from their deltas.',
      { difference: ['short', 'contrary', 'late'] },
    ),
    answersStrayEvents: instruments.counter<'gen_ai.provider.name'>(
      'answers.stray_events',
      'Number of skipped stream events of providers that are no part of an answer.',
    ),
    usageFailuresDropped: instruments.counter(
      'usage.failures.dropped',
      'Number of records of failed generations that were lost: too many failed at once.',
    ),
    outcomesDropped: instruments.counter(
      'outcomes.dropped',
      'Number of facts of failed and refused requests that were dropped before the bus.',
    ),
    /** `outcome` is counted, duplicate or dead_letter. */
    ledgerFacts: instruments.counter<'outcome'>(
      'ledger.facts',
      'Number of usage facts taken by the ledger.',
      {
        outcome: ['counted', 'duplicate', 'dead_letter'],
      },
    ),
  };
}

function serviceMetrics(instruments: Instruments) {
  return {
    /** `outcome` is counted, duplicate, late (left to the ledger), from_ledger or unreadable. */
    analyticsFacts: instruments.counter<'outcome'>(
      'analytics.facts',
      'Number of facts taken by analytics.',
      {
        outcome: ['counted', 'duplicate', 'late', 'from_ledger', 'unreadable'],
      },
    ),
    ledgerFactsArchived: instruments.counter(
      'ledger.facts.archived',
      'Number of usage facts that the ledger moved to archives.',
    ),
    analyticsPartitionsDropped: instruments.counter(
      'analytics.partitions.dropped',
      'Number of partitions of analytics that were older than is kept.',
    ),
    /** `outcome` is taken or refused. */
    catalogReloads: instruments.counter<'outcome'>(
      'catalog.reloads',
      'Number of reloads of the catalog.',
      {
        outcome: ['taken', 'refused'],
      },
    ),
    /** `outcome` is answered or failed, here and below. */
    policyQuestions: instruments.counter<'outcome'>(
      'policy.questions',
      'Number of calls for a policy.',
      {
        outcome: ['answered', 'failed'],
      },
    ),
    credentialQuestions: instruments.counter<'outcome'>(
      'credential.questions',
      'Number of calls for provider credentials.',
      { outcome: ['answered', 'failed'] },
    ),
    /** `outcome` is passed, flagged or failed. */
    moderationChecks: instruments.counter<'outcome'>(
      'moderation.checks',
      'Number of requests whose input was moderated.',
      { outcome: ['passed', 'flagged', 'failed'] },
    ),
    /** `outcome` is allowed or blocked, or the reason why an answer could not be judged. */
    alignmentEvaluations: instruments.counter<'outcome'>(
      'alignment.evaluations',
      'Number of answers that the plugin alignment judged.',
      {
        outcome: ['allowed', 'blocked', 'cut', 'evaluator_error', 'malformed_answer', 'time_limit'],
      },
    ),
    responseCacheLookups: instruments.counter<'outcome'>(
      'routing.response.cache.lookups',
      'Number of requests that asked for an answer of the response cache.',
      { outcome: ['hit', 'miss'] },
    ),
    /** `reason` is tampered or key_lost. */
    credentialsUnreadable: instruments.counter<'reason'>(
      'credential.unreadable',
      'Number of provider credentials that could not be opened.',
      { reason: ['tampered', 'key_lost'] },
    ),
    projectionFailures: instruments.counter<'projection'>(
      'projection.failures',
      'Number of events that a projection could not apply.',
      { projection: [] },
    ),
    projectionForeignEvents: instruments.counter<'projection'>(
      'projection.foreign.events',
      'Number of events of other writers that a projection skipped.',
      { projection: [] },
    ),
  };
}
