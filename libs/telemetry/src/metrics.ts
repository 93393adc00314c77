import type { Counter, Histogram, Instruments } from './instruments.ts';

/** Every metric that Sluice has. Never a key, account or workspace id as an attribute. */
export interface Metrics {
  /** Seconds; attributes http.request.method, http.route, http.response.status_code. */
  readonly httpServerRequestDuration: Histogram<
    'http.request.method' | 'http.route' | 'http.response.status_code'
  >;
  /** Seconds; attributes gen_ai.provider.name, gen_ai.request.model, error.type. */
  readonly genAiOperationDuration: Histogram<
    'gen_ai.provider.name' | 'gen_ai.request.model' | 'error.type'
  >;
  /** Seconds; attributes gen_ai.provider.name, gen_ai.request.model. */
  readonly genAiTimeToFirstChunk: Histogram<'gen_ai.provider.name' | 'gen_ai.request.model'>;
  /** Tokens; attributes gen_ai.token.type, gen_ai.request.model. */
  readonly genAiTokenUsage: Histogram<'gen_ai.request.model' | 'gen_ai.token.type'>;
  /** Attempts at an endpoint; attributes outcome and credential (own, platform). */
  readonly gatewayAttempts: Counter<'outcome' | 'credential'>;
  /** Endpoints that were left alone after failures, each time. */
  readonly routingEjections: Counter;
  /** Requests that tried an endpoint again whose time of being left alone was over. */
  readonly routingProbes: Counter;
  /** Second tries; attribute outcome (made, refused: too many were made lately). */
  readonly routingRetries: Counter<'outcome'>;
  /** Streams that ended in response.failed. */
  readonly gatewayStreamsAborted: Counter;
  /** Inference requests that were refused because too many wait; attribute reason (full, share, slow). */
  readonly gatewayOverloadRefusals: Counter<'reason'>;
  /** Seconds that an inference request waited for its turn, of those that had to. */
  readonly gatewayOverloadWait: Histogram;
  /** Refusals that did not get into the audit; attribute reason (full, failed). */
  readonly gatewayRefusalsDropped: Counter<'reason'>;
  /** Requests refused for money; attribute reason. */
  readonly spendRefusals: Counter<'reason'>;
  /** Seconds that a request waited for the ledger's word; attribute outcome (held, refused, unavailable). */
  readonly spendWait: Histogram<'outcome'>;
  /** Leases that the ledger was asked about; attribute purpose (refill, renew, close). */
  readonly spendLeaseRequests: Counter<'purpose'>;
  /** Seconds of a call to the ledger about leases; attribute outcome (answered, failed). */
  readonly spendAuthorityDuration: Histogram<'outcome'>;
  /** Catalogues that were read again; attribute outcome (taken, refused). */
  readonly catalogReloads: Counter<'outcome'>;
  /** Policies that were asked for; attribute outcome (answered, failed). */
  readonly policyQuestions: Counter<'outcome'>;
  /** Provider credentials that were asked for; attribute outcome (answered, failed). */
  readonly credentialQuestions: Counter<'outcome'>;
  /** Provider credentials that could not be opened when they were needed; attribute reason (tampered, key_lost). */
  readonly credentialsUnreadable: Counter<'reason'>;
  /** Generations that were billed on our own estimate, cancelled ones apart; must stay near 0. */
  readonly usageEstimated: Counter;
  /** Generations whose provider told a usage that cannot be charged; attribute reason. */
  readonly usageIncredible: Counter<'reason'>;
  /** Records of failed generations that were lost because too many failed at once. */
  readonly usageFailuresDropped: Counter;
  /** Facts of failed and refused requests that were not kept for the bus because there were too many. */
  readonly outcomesDropped: Counter;
  /** Usage facts taken by the ledger; attribute outcome (counted, duplicate, dead_letter). */
  readonly ledgerFacts: Counter<'outcome'>;
  /** Events that a projection could not apply; attribute projection. */
  readonly projectionFailures: Counter<'projection'>;
  /** Events of others in the streams of a projection, which it skipped; attribute projection. */
  readonly projectionForeignEvents: Counter<'projection'>;
}

/** Around the bound of 20 ms within which the ledger should answer. */
const waitBoundaries = [0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

export function createMetrics(instruments: Instruments): Metrics {
  const unit = 's';
  const wait = { unit, boundaries: waitBoundaries };
  return {
    httpServerRequestDuration: instruments.histogram('http.server.request.duration', {
      unit,
      attributes: ['http.request.method', 'http.route', 'http.response.status_code'],
    }),
    genAiOperationDuration: instruments.histogram('gen_ai.client.operation.duration', {
      unit,
      attributes: ['gen_ai.provider.name', 'gen_ai.request.model', 'error.type'],
    }),
    genAiTimeToFirstChunk: instruments.histogram('gen_ai.client.operation.time_to_first_chunk', {
      unit,
      attributes: ['gen_ai.provider.name', 'gen_ai.request.model'],
    }),
    genAiTokenUsage: instruments.histogram('gen_ai.client.token.usage', {
      unit: '{token}',
      attributes: ['gen_ai.request.model', 'gen_ai.token.type'],
    }),
    gatewayAttempts: instruments.counter('gateway.attempts', {
      attributes: ['outcome', 'credential'],
    }),
    routingEjections: instruments.counter('routing.endpoints.ejections'),
    routingProbes: instruments.counter('routing.endpoints.probes'),
    routingRetries: instruments.counter('routing.retries', { attributes: ['outcome'] }),
    gatewayStreamsAborted: instruments.counter('gateway.stream.aborted'),
    gatewayOverloadRefusals: instruments.counter('gateway.overload.refusals', {
      attributes: ['reason'],
    }),
    gatewayOverloadWait: instruments.histogram('gateway.overload.wait', wait),
    gatewayRefusalsDropped: instruments.counter('gateway.refusals.dropped', {
      attributes: ['reason'],
    }),
    spendRefusals: instruments.counter('spend.refusals', { attributes: ['reason'] }),
    spendWait: instruments.histogram('spend.wait', { ...wait, attributes: ['outcome'] }),
    spendLeaseRequests: instruments.counter('spend.lease.requests', { attributes: ['purpose'] }),
    spendAuthorityDuration: instruments.histogram('spend.authority.duration', {
      ...wait,
      attributes: ['outcome'],
    }),
    catalogReloads: instruments.counter('catalog.reloads', { attributes: ['outcome'] }),
    policyQuestions: instruments.counter('policy.questions', { attributes: ['outcome'] }),
    credentialQuestions: instruments.counter('credential.questions', { attributes: ['outcome'] }),
    credentialsUnreadable: instruments.counter('credential.unreadable', {
      attributes: ['reason'],
    }),
    usageEstimated: instruments.counter('usage.estimated'),
    usageIncredible: instruments.counter('usage.incredible', { attributes: ['reason'] }),
    usageFailuresDropped: instruments.counter('usage.failures.dropped'),
    outcomesDropped: instruments.counter('outcomes.dropped'),
    ledgerFacts: instruments.counter('ledger.facts', { attributes: ['outcome'] }),
    projectionFailures: instruments.counter('projection.failures', { attributes: ['projection'] }),
    projectionForeignEvents: instruments.counter('projection.foreign.events', {
      attributes: ['projection'],
    }),
  };
}
