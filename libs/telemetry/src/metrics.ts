import type { Counter, Histogram, Meter } from '@opentelemetry/api';

/** Every metric that Sluice has. Never a key, account or workspace id as an attribute. */
export interface Metrics {
  /** Seconds; attributes http.request.method, http.route, http.response.status_code. */
  readonly httpServerRequestDuration: Histogram;
  /** Seconds; attributes gen_ai.provider.name, gen_ai.request.model, error.type. */
  readonly genAiOperationDuration: Histogram;
  /** Seconds; attributes gen_ai.provider.name, gen_ai.request.model. */
  readonly genAiTimeToFirstChunk: Histogram;
  /** Tokens; attributes gen_ai.token.type, gen_ai.request.model. */
  readonly genAiTokenUsage: Histogram;
  /** Attempts at an endpoint; attributes outcome and credential (own, platform). */
  readonly gatewayAttempts: Counter;
  /** Endpoints that were left alone after failures, each time. */
  readonly routingEjections: Counter;
  /** Requests that tried an endpoint again whose time of being left alone was over. */
  readonly routingProbes: Counter;
  /** Second tries; attribute outcome (made, refused: too many were made lately). */
  readonly routingRetries: Counter;
  /** Streams that ended in response.failed. */
  readonly gatewayStreamsAborted: Counter;
  /** Inference requests that were refused because too many wait; attribute reason (full, share, slow). */
  readonly gatewayOverloadRefusals: Counter;
  /** Seconds that an inference request waited for its turn, of those that had to. */
  readonly gatewayOverloadWait: Histogram;
  /** Refusals that did not get into the audit; attribute reason (full, failed). */
  readonly gatewayRefusalsDropped: Counter;
  /** Requests refused for money; attribute reason. */
  readonly spendRefusals: Counter;
  /** Seconds that a request waited for the ledger's word; attribute outcome (held, refused, unavailable). */
  readonly spendWait: Histogram;
  /** Leases that the ledger was asked about; attribute purpose (refill, renew, close). */
  readonly spendLeaseRequests: Counter;
  /** Seconds of a call to the ledger about leases; attribute outcome (answered, failed). */
  readonly spendAuthorityDuration: Histogram;
  /** Catalogues that were read again; attribute outcome (taken, refused). */
  readonly catalogReloads: Counter;
  /** Policies that were asked for; attribute outcome (answered, failed). */
  readonly policyQuestions: Counter;
  /** Provider credentials that were asked for; attribute outcome (answered, failed). */
  readonly credentialQuestions: Counter;
  /** Generations that were billed on our own estimate, cancelled ones apart; must stay near 0. */
  readonly usageEstimated: Counter;
  /** Generations whose provider told a usage that cannot be charged; attribute reason. */
  readonly usageIncredible: Counter;
  /** Records of failed generations that were lost because too many failed at once. */
  readonly usageFailuresDropped: Counter;
  /** Usage facts taken by the ledger; attribute outcome (counted, duplicate, dead_letter). */
  readonly ledgerFacts: Counter;
  /** Events that a projection could not apply; attribute projection. */
  readonly projectionFailures: Counter;
}

/** Around the bound of 20 ms within which the ledger should answer. */
const waitBoundaries = [0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

export function createMetrics(meter: Meter): Metrics {
  const seconds = { unit: 's' };
  const wait = { unit: 's', advice: { explicitBucketBoundaries: waitBoundaries } };
  return {
    httpServerRequestDuration: meter.createHistogram('http.server.request.duration', seconds),
    genAiOperationDuration: meter.createHistogram('gen_ai.client.operation.duration', seconds),
    genAiTimeToFirstChunk: meter.createHistogram(
      'gen_ai.client.operation.time_to_first_chunk',
      seconds,
    ),
    genAiTokenUsage: meter.createHistogram('gen_ai.client.token.usage', { unit: '{token}' }),
    gatewayAttempts: meter.createCounter('gateway.attempts'),
    routingEjections: meter.createCounter('routing.endpoints.ejections'),
    routingProbes: meter.createCounter('routing.endpoints.probes'),
    routingRetries: meter.createCounter('routing.retries'),
    gatewayStreamsAborted: meter.createCounter('gateway.stream.aborted'),
    gatewayOverloadRefusals: meter.createCounter('gateway.overload.refusals'),
    gatewayOverloadWait: meter.createHistogram('gateway.overload.wait', wait),
    gatewayRefusalsDropped: meter.createCounter('gateway.refusals.dropped'),
    spendRefusals: meter.createCounter('spend.refusals'),
    spendWait: meter.createHistogram('spend.wait', wait),
    spendLeaseRequests: meter.createCounter('spend.lease.requests'),
    spendAuthorityDuration: meter.createHistogram('spend.authority.duration', wait),
    catalogReloads: meter.createCounter('catalog.reloads'),
    policyQuestions: meter.createCounter('policy.questions'),
    credentialQuestions: meter.createCounter('credential.questions'),
    usageEstimated: meter.createCounter('usage.estimated'),
    usageIncredible: meter.createCounter('usage.incredible'),
    usageFailuresDropped: meter.createCounter('usage.failures.dropped'),
    ledgerFacts: meter.createCounter('ledger.facts'),
    projectionFailures: meter.createCounter('projection.failures'),
  };
}
