import { deepEqual, equal, throws } from 'node:assert/strict';
import { inspect } from 'node:util';
import { Type } from 'typebox';
import { describe, test } from 'vitest';
import { createLogger } from '@sluice/logging';
import {
  checkSettings,
  Lifecycle,
  loadConfig,
  Secret,
  secret,
  telemetryOptions,
  telemetrySettings,
} from './index.ts';

const schema = Type.Object({
  PORT: Type.Integer({ default: 8080, minimum: 0, maximum: 65_535 }),
  VERBOSE: Type.Boolean({ default: false }),
  TOKEN: secret('who may call'),
  NAME: Type.Optional(Type.String()),
  LEVEL: Type.Union([Type.Literal('info'), Type.Literal('warn')], { default: 'info' }),
});

describe('settings', () => {
  test('come from the environment, converted, with defaults, and nothing else', () => {
    const config = loadConfig(schema, { TOKEN: 'abcdefgh', VERBOSE: 'true', NAME: '', HOME: '/' });
    deepEqual([config.PORT, config.VERBOSE, config.NAME], [8080, true, undefined]);
    deepEqual(Object.keys(config).toSorted(), ['LEVEL', 'PORT', 'TOKEN', 'VERBOSE']);
  });

  test('are refused with all their problems at once', () => {
    throws(() => loadConfig(schema, { PORT: '70000' }), /TOKEN.*PORT|PORT.*TOKEN/);
  });

  test('that may be empty are, and others have their default', () => {
    const may = Type.Object({ SPACE: Type.String({ default: 'a', 'x-empty': true }) });
    const mayNot = Type.Object({ SPACE: Type.String({ default: 'a' }) });
    equal(loadConfig(may, { SPACE: '' }).SPACE, '');
    equal(loadConfig(may, {}).SPACE, 'a');
    equal(loadConfig(mayNot, { SPACE: '' }).SPACE, 'a');
  });

  test('that take one of some words name them, once', () => {
    throws(() => loadConfig(schema, { TOKEN: 'abcdefgh', LEVEL: 'loud' }), {
      message: 'Settings: LEVEL must be one of info, warn',
    });
  });

  test.each<[object, Record<string, string>, string]>([
    [Type.Integer({ minimum: 1, maximum: 9 }), { A: 'x' }, 'A must be a whole number from 1 to 9'],
    [Type.Integer({ minimum: 1 }), { A: '0' }, 'A must be a whole number of at least 1'],
    [Type.Boolean(), { A: 'maybe' }, 'A must be true or false'],
    [
      secret('The token'),
      { A: 'short-1' },
      'A must be a text of at least 8 characters (The token)',
    ],
    [
      secret('The token'),
      {},
      'A is missing: it must be a text of at least 8 characters (The token)',
    ],
    [
      Type.String({ pattern: '^https?://', description: 'http://host:port' }),
      { A: 'ftp://a' },
      'A must be a text that matches ^https?:// (http://host:port)',
    ],
    [Type.Enum(['strict', 'fast']), { A: 'safe' }, 'A must be one of strict, fast'],
  ])(
    '%# are told by name, with what they may be and without their value',
    (property, env, told) => {
      const one = Type.Object({ A: property });
      throws(() => loadConfig(one, env), { message: `Settings: ${told}` });
    },
  );

  test('of several schemas are refused together', () => {
    const other = Type.Object({ SIZE: Type.Integer() });
    throws(
      () =>
        checkSettings([
          () => loadConfig(schema, { PORT: 'no', TOKEN: 'abcdefgh' }),
          () => loadConfig(other, { SIZE: 'no' }),
        ]),
      { message: /^Settings: PORT must be .*; SIZE must be a whole number$/ },
    );
  });

  test('never print a secret', () => {
    const { TOKEN } = loadConfig(schema, { TOKEN: 'abcdefgh' });
    equal(TOKEN.reveal(), 'abcdefgh');
    for (const printed of [String(TOKEN), JSON.stringify({ TOKEN }), inspect({ TOKEN })])
      equal(printed.includes('abcdefgh'), false, printed);
    equal(TOKEN instanceof Secret, true);
  });
});

describe('stopping', () => {
  const logger = createLogger({ service: 'spec', level: 'silent' });

  test('is the reverse of starting, happens once, and survives a part that fails', async () => {
    const stopped: string[] = [];
    const lifecycle = new Lifecycle(logger);
    const part = (name: string, fails = false) => ({
      name,
      stop: async () => {
        stopped.push(name);
        if (fails) throw new Error('cannot');
      },
    });
    lifecycle.add(part('first'));
    lifecycle.add(part('second', true));
    lifecycle.add(part('third'));
    await Promise.all([lifecycle.stop(), lifecycle.stop()]);
    deepEqual(stopped, ['third', 'second', 'first']);
  });

  test('does not wait for ever for a part that hangs', async () => {
    const lifecycle = new Lifecycle(logger);
    lifecycle.add({ name: 'hangs', stop: () => new Promise(() => {}) });
    await lifecycle.stop(1);
  });
});

describe('settings of OpenTelemetry', () => {
  const otlp = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
  const optionsOf = (env: Record<string, string>) =>
    telemetryOptions('spec', loadConfig(Type.Object(telemetrySettings), env));

  test('record every trace in batches, where there is a receiver', () => {
    deepEqual(optionsOf(otlp), {
      serviceName: 'spec',
      otlpEndpoint: 'http://collector:4318',
      otlpTracesEndpoint: undefined,
      sampling: { name: 'parentbased_always_on', ratio: 1 },
      batching: {
        scheduledDelayMillis: 5_000,
        exportTimeoutMillis: 30_000,
        maxQueueSize: 2_048,
        maxExportBatchSize: 512,
      },
    });
  });

  test('choose the sampler, the batches and a receiver of spans alone', () => {
    const { otlpTracesEndpoint, sampling, batching } = optionsOf({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector/spans',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.05',
      OTEL_BSP_MAX_QUEUE_SIZE: '100',
    });
    deepEqual(sampling, { name: 'parentbased_traceidratio', ratio: 0.05 });
    equal(otlpTracesEndpoint, 'http://collector/spans');
    deepEqual([batching?.maxQueueSize, batching?.maxExportBatchSize], [100, 100]);
  });

  test.each([{ OTEL_SDK_DISABLED: 'true' }, { OTEL_TRACES_EXPORTER: 'none' }])(
    'turn spans off: %j',
    (off) => {
      equal(optionsOf({ ...otlp, ...off }).otlpEndpoint, undefined);
    },
  );

  test.each([
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['OTEL_TRACES_EXPORTER', 'zipkin'],
    ['OTEL_BSP_SCHEDULE_DELAY', 'soon'],
  ])('are refused by name: %s=%s', (name, value) => {
    throws(() => optionsOf({ [name]: value }), new RegExp(name));
  });
});
