import { deepEqual, equal, match } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { createTelemetry } from './telemetry.ts';

const parent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

describe('telemetry', () => {
  test('records spans of the trace that came in, where there is a receiver', async () => {
    const telemetry = createTelemetry({
      serviceName: 'spec',
      otlpEndpoint: 'http://127.0.0.1:1',
    });
    const { tracing } = telemetry;
    const span = tracing.start('spec', { kind: 'server', parent });
    match(span.traceparent ?? '', new RegExp(`^00-${'a'.repeat(32)}-(?!b{16})[0-9a-f]{16}-01$`));
    match(tracing.start('spec', { kind: 'client', parent: 'nothing' }).traceparent ?? '', /^00-/);
    await telemetry.stop();
  });

  test('hands a trace on that came in, where there is none', () => {
    const { tracing } = createTelemetry({ serviceName: 'spec', otlpEndpoint: undefined });
    equal(tracing.start('spec', { kind: 'server', parent }).traceparent, parent);
    equal(tracing.start('spec', { kind: 'server', parent: undefined }).traceparent, undefined);
  });

  test('does not make attributes where there is no receiver', () => {
    const { tracing } = createTelemetry({ serviceName: 'spec', otlpEndpoint: undefined });
    const attributes = () => {
      throw new Error('made');
    };
    const span = tracing.start('spec', { kind: 'server', parent, attributes });
    span.set(attributes);
    span.end();
    equal(tracing.isRecording, false);
  });

  test('shows every gauge that can be read, also beside one that cannot', async () => {
    const telemetry = createTelemetry({ serviceName: 'spec', otlpEndpoint: undefined });
    telemetry.observe('spend.open', () => {
      throw new Error('not now');
    });
    telemetry.observe('spend.leases', () => 2);
    const text = await telemetry.prometheus();
    match(text, /^spend_leases\{otel_scope_name="sluice"\} 2$/m);
    equal(text.includes('spend_open'), false);
  });

  test('exports counters at 0 for the labels that are known', async () => {
    const telemetry = createTelemetry({ serviceName: 'spec', otlpEndpoint: undefined });
    const text = await telemetry.prometheus();
    match(text, /^credential_unreadable_total\{[^}]*reason="key_lost"[^}]*\} 0$/m);
    match(text, /^usage_estimated_total\{[^}]*\} 0$/m);
    equal(text.includes('projection_failures_total{'), false);
  });

  test('tells answers of milliseconds from those of seconds and of minutes', async () => {
    const telemetry = createTelemetry({ serviceName: 'spec', otlpEndpoint: undefined });
    for (const seconds of [0.02, 2, 200])
      telemetry.metrics.httpServerRequestDuration.record(seconds);
    const text = await telemetry.prometheus();
    const below = (le: string) =>
      new RegExp(
        `^http_server_request_duration_seconds_bucket\\{[^}]*le="${le}"[^}]*\\} (\\d+)$`,
        'm',
      ).exec(text)?.[1];
    deepEqual(['0.025', '2.5', '160', '300'].map(below), ['1', '2', '2', '3']);
  });
});
