import { deepEqual, equal, match } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { createTelemetry } from './telemetry.ts';

/** The bodies that the receiver of spans has taken. */
const received: string[] = [];
const server = createServer((request, response) => {
  request.setEncoding('utf8').on('data', (text: string) => received.push(text));
  request.on('end', () =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
  );
});
let receiver: { readonly serviceName: string; readonly otlpEndpoint: string };
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  receiver = { serviceName: 'spec', otlpEndpoint: `http://127.0.0.1:${port}` };
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
const parent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

describe('telemetry', () => {
  test('records spans of the trace that came in, where there is a receiver', async () => {
    const telemetry = createTelemetry(receiver);
    const { tracing } = telemetry;
    const span = tracing.start('spec', { kind: 'server', parent });
    match(span.traceparent ?? '', new RegExp(`^00-${'a'.repeat(32)}-(?!b{16})[0-9a-f]{16}-01$`));
    match(tracing.start('spec', { kind: 'client', parent: 'nothing' }).traceparent ?? '', /^00-/);
    await telemetry.stop();
  });

  for (const [name, ratio, ofRoot, ofSampled] of [
    ['parentbased_always_on', 1, '01', '01'],
    ['parentbased_always_off', 1, '00', '01'],
    ['parentbased_traceidratio', 0, '00', '01'],
    ['parentbased_traceidratio', 1, '01', '01'],
    ['always_on', 0, '01', '01'],
    ['always_off', 1, '00', '00'],
    ['traceidratio', 0, '00', '00'],
    ['traceidratio', 1, '01', '01'],
  ] as const)
    test(`samples by ${name} with ${ratio}`, async () => {
      const telemetry = createTelemetry({ ...receiver, sampling: { name, ratio } });
      const { tracing } = telemetry;
      let made = 0;
      const attributes = () => ({ 'spec.made': (made += 1) });
      const flagsOf = (from: string | undefined) => {
        const span = tracing.start('spec', { kind: 'server', parent: from, attributes });
        span.set(attributes);
        span.end();
        return span.traceparent?.slice(-2);
      };
      deepEqual([flagsOf(undefined), flagsOf(parent)], [ofRoot, ofSampled]);
      equal(made, 2 * [ofRoot, ofSampled].filter((flags) => flags === '01').length);
      await telemetry.stop();
    });

  test('takes its name and attributes from the environment first', async () => {
    const given = {
      OTEL_SERVICE_NAME: 'named',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    };
    const before = Object.keys(given).map((name) => [name, process.env[name]] as const);
    Object.assign(process.env, given);
    try {
      const telemetry = createTelemetry(receiver);
      telemetry.tracing.start('spec', { kind: 'server', parent: undefined }).end();
      await telemetry.stop();
      match(received.at(-1) ?? '', /"stringValue":"named"/);
      const text = await telemetry.prometheus();
      match(text, /^target_info\{.*service_name="named".*\} 1$/m);
      match(text, /^target_info\{.*deployment_environment_name="test".*\} 1$/m);
    } finally {
      for (const [name, value] of before)
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
    }
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

  test('shows the rows of a gauge that there are now, and none that is gone', async () => {
    const telemetry = createTelemetry({ serviceName: 'spec', otlpEndpoint: undefined });
    let ids = ['one', 'two'];
    telemetry.observeRows('observer.dead.letters', () =>
      ids.map((destination) => ({ value: 3, attributes: { destination } })),
    );
    const text = await telemetry.prometheus();
    match(text, /^# TYPE observer_dead_letters gauge$/m);
    match(text, /^observer_dead_letters\{destination="one",[^}]*\} 3$/m);
    match(text, /^observer_dead_letters\{destination="two",[^}]*\} 3$/m);
    ids = ['two'];
    const later = await telemetry.prometheus();
    match(later, /^observer_dead_letters\{destination="two",[^}]*\} 3$/m);
    equal(later.includes('destination="one"'), false);
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
