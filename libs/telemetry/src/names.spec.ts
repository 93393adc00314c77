import { equal } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'vitest';
import { type GaugeName, gauges } from './gauges.ts';
import { createTelemetry } from './telemetry.ts';

/** The labels that dashboards and alerts may use. */
const labels: Readonly<Record<string, readonly string[]>> = {
  httpServerRequestDuration: ['http.request.method', 'http.route', 'http.response.status_code'],
  genAiOperationDuration: ['gen_ai.provider.name', 'gen_ai.request.model', 'error.type'],
  genAiTimeToFirstChunk: ['gen_ai.provider.name', 'gen_ai.request.model'],
  genAiTokenUsage: ['gen_ai.request.model', 'gen_ai.token.type'],
  gatewayAttempts: ['outcome', 'credential'],
  routingRetries: ['outcome'],
  routingRefusals: ['reason'],
  routingTextsUnscanned: ['reason'],
  gatewayOverloadRefusals: ['reason'],
  gatewayRefusalsDropped: ['reason'],
  toolsCalls: ['tool', 'outcome'],
  toolsDuration: ['tool'],
  toolsCost: ['tool'],
  sandboxStarts: ['outcome'],
  sandboxRefusals: ['reason'],
  sandboxCommandDuration: ['outcome'],
  spendRefusals: ['reason'],
  spendWait: ['outcome'],
  spendLeaseRequests: ['purpose'],
  spendAuthorityDuration: ['outcome'],
  catalogReloads: ['outcome'],
  policyQuestions: ['outcome'],
  credentialQuestions: ['outcome'],
  moderationChecks: ['outcome'],
  alignmentEvaluations: ['outcome'],
  responseCacheLookups: ['outcome'],
  credentialsUnreadable: ['reason'],
  usageIncredible: ['reason'],
  answersToldTwice: ['difference'],
  answersStrayEvents: ['gen_ai.provider.name'],
  ledgerFacts: ['outcome'],
  analyticsFacts: ['outcome'],
  observerContents: ['outcome'],
  observerMessages: ['outcome'],
  observerGenerations: ['type', 'destination', 'outcome'],
  observerLost: ['type', 'destination'],
  observerGaps: ['of'],
  projectionFailures: ['projection'],
  projectionForeignEvents: ['projection'],
};

/** Sorts series and labels and drops help texts, because Prometheus ignores both differences. */
function comparable(text: string): string {
  return text
    .split('\n')
    .filter((line) => !line.startsWith('# HELP'))
    .map((line) =>
      line.replace(/\{(.*)\}/, (_, inner: string) => `{${inner.split(',').toSorted().join(',')}}`),
    )
    .toSorted()
    .join('\n');
}

test('names, labels, units and buckets are those that dashboards were made for', async () => {
  const telemetry = createTelemetry({ serviceName: 'spec', otlpEndpoint: undefined });
  for (const [name, metric] of Object.entries(telemetry.metrics)) {
    const attributes = Object.fromEntries((labels[name] ?? []).map((label) => [label, 'x']));
    if ('add' in metric) metric.add(2, attributes);
    else metric.record(2, attributes);
  }
  for (const name of Object.keys(gauges) as GaugeName[]) {
    telemetry.observe(name, () => 3);
    telemetry.observe(name, () => 4, { projection: 'one' });
  }
  const golden = readFileSync(new URL('golden/metrics.txt', import.meta.url), 'utf8');
  const text = comparable(await telemetry.prometheus());
  equal(`${text}\n`, golden);
});
