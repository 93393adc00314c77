import type {
  Counter as MeterCounter,
  Histogram as MeterHistogram,
  Meter,
} from '@opentelemetry/api';

type Labels<Name extends string> = { readonly [Label in Name]?: string | number };

/** Only goes up. */
export type Counter<Name extends string = never> = MeterCounter<Labels<Name>>;
/** Counts values in buckets, and adds them up. */
export type Histogram<Name extends string = never> = MeterHistogram<Labels<Name>>;

export type Metrics = ReturnType<typeof createMetrics>;

/** Around the 20 ms within which the ledger should answer. */
const waitBoundaries = [0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** Returns every counter and histogram of Sluice. A key, account or workspace id is never a label. */
export function createMetrics(meter: Meter) {
  return { ...requestMetrics(meter), ...spendMetrics(meter), ...serviceMetrics(meter) };
}

function requestMetrics(meter: Meter) {
  const { counter, histogram } = instrumentsOf(meter);
  return {
    httpServerRequestDuration: histogram<
      'http.request.method' | 'http.route' | 'http.response.status_code'
    >('http.server.request.duration', 's', 'Seconds from a request to the end of its response.'),
    genAiOperationDuration: histogram<
      'gen_ai.provider.name' | 'gen_ai.request.model' | 'error.type'
    >('gen_ai.client.operation.duration', 's', 'Seconds from an upstream call to its end.'),
    genAiTimeToFirstChunk: histogram<'gen_ai.provider.name' | 'gen_ai.request.model'>(
      'gen_ai.client.operation.time_to_first_chunk',
      's',
      'Seconds from an upstream call to its first output.',
    ),
    genAiTokenUsage: histogram<'gen_ai.request.model' | 'gen_ai.token.type'>(
      'gen_ai.client.token.usage',
      '{token}',
      'Number of tokens of a generation.',
    ),
    /** `credential` is own or platform. */
    gatewayAttempts: counter<'outcome' | 'credential'>(
      'gateway.attempts',
      'Number of attempts at an endpoint.',
    ),
    routingEjections: counter(
      'routing.endpoints.ejections',
      'Number of times that an endpoint was skipped from then on, after failures.',
    ),
    routingProbes: counter(
      'routing.endpoints.probes',
      'Number of requests that tried a skipped endpoint again.',
    ),
    /** `outcome` is made, or refused because of too many lately. */
    routingRetries: counter<'outcome'>('routing.retries', 'Number of second tries.'),
    /** `reason` is late or broken. */
    routingTextsUnscanned: counter<'reason'>(
      'routing.texts.unscanned',
      'Number of texts that content filters did not scan to the end.',
    ),
    gatewayStreamsAborted: counter(
      'gateway.stream.aborted',
      'Number of streams that ended in response.failed.',
    ),
    /** `reason` is full, share or slow. */
    gatewayOverloadRefusals: counter<'reason'>(
      'gateway.overload.refusals',
      'Number of inference requests that the load shedder refused.',
    ),
    gatewayOverloadWait: histogram(
      'gateway.overload.wait',
      's',
      'Seconds from the arrival of a queued inference request to its start.',
      waitBoundaries,
    ),
    /** `reason` is full or failed. */
    gatewayRefusalsDropped: counter<'reason'>(
      'gateway.refusals.dropped',
      'Number of refusals that the audit log does not have.',
    ),
  };
}

function spendMetrics(meter: Meter) {
  const { counter, histogram } = instrumentsOf(meter);
  return {
    spendRefusals: counter<'reason'>(
      'spend.refusals',
      'Number of requests refused by a balance, a limit or a budget.',
    ),
    /** `outcome` is held, refused or unavailable. */
    spendWait: histogram<'outcome'>(
      'spend.wait',
      's',
      'Seconds from the question of a request to the answer of the ledger.',
      waitBoundaries,
    ),
    /** `purpose` is refill, renew or close. */
    spendLeaseRequests: counter<'purpose'>(
      'spend.lease.requests',
      'Number of leases in calls to the ledger.',
    ),
    /** `outcome` is answered or failed. */
    spendAuthorityDuration: histogram<'outcome'>(
      'spend.authority.duration',
      's',
      'Seconds from a call to the ledger about leases to its end.',
      waitBoundaries,
    ),
    /** Must stay near 0. */
    usageEstimated: counter(
      'usage.estimated',
      'Number of generations billed on our own estimate, canceled ones excluded.',
    ),
    usageIncredible: counter<'reason'>(
      'usage.incredible',
      'Number of generations with a usage report that cannot be charged.',
    ),
    /** `difference` is short, contrary or late. */
    answersToldTwice: counter<'difference'>(
      'answers.told_twice',
      'Number of texts of providers whose whole form differs from their deltas.',
    ),
    usageFailuresDropped: counter(
      'usage.failures.dropped',
      'Number of records of failed generations that were lost: too many failed at once.',
    ),
    outcomesDropped: counter(
      'outcomes.dropped',
      'Number of facts of failed and refused requests that were dropped before the bus.',
    ),
    /** `outcome` is counted, duplicate or dead_letter. */
    ledgerFacts: counter<'outcome'>('ledger.facts', 'Number of usage facts taken by the ledger.'),
  };
}

function serviceMetrics(meter: Meter) {
  const { counter } = instrumentsOf(meter);
  return {
    /** `outcome` is taken or refused. */
    catalogReloads: counter<'outcome'>('catalog.reloads', 'Number of reloads of the catalog.'),
    /** `outcome` is answered or failed, here and below. */
    policyQuestions: counter<'outcome'>('policy.questions', 'Number of calls for a policy.'),
    credentialQuestions: counter<'outcome'>(
      'credential.questions',
      'Number of calls for provider credentials.',
    ),
    /** `outcome` is passed, flagged or failed. */
    moderationChecks: counter<'outcome'>(
      'moderation.checks',
      'Number of requests whose input was moderated.',
    ),
    /** `reason` is tampered or key_lost. */
    credentialsUnreadable: counter<'reason'>(
      'credential.unreadable',
      'Number of provider credentials that could not be opened.',
    ),
    projectionFailures: counter<'projection'>(
      'projection.failures',
      'Number of events that a projection could not apply.',
    ),
    projectionForeignEvents: counter<'projection'>(
      'projection.foreign.events',
      'Number of events of other writers that a projection skipped.',
    ),
  };
}

function instrumentsOf(meter: Meter) {
  return {
    counter: <Name extends string = never>(name: string, description: string) =>
      meter.createCounter<Labels<Name>>(name, { description }),
    histogram: <Name extends string = never>(
      name: string,
      unit: string,
      description: string,
      boundaries?: number[],
    ) =>
      meter.createHistogram<Labels<Name>>(name, {
        unit,
        description,
        ...(boundaries && { advice: { explicitBucketBoundaries: boundaries } }),
      }),
  };
}
