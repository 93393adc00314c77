import { defaultNamespace, namespacePattern } from '@sluice/es';
import { samplerNames, type TelemetryOptions } from '@sluice/telemetry';
import { type TObject, Type } from 'typebox';
import { type Config, secret } from './config.ts';

export const logLevelSetting = Type.Union(
  (['debug', 'info', 'warn', 'error', 'silent'] as const).map((level) => Type.Literal(level)),
  { default: 'info' },
);

/** Set and empty: no namespace. */
export const namespaceSetting = Type.String({
  default: defaultNamespace,
  pattern: namespacePattern.source,
  description: 'Stands before the names of all streams; set and empty: none',
  'x-empty': true,
});

const eventKeyLengthMin = 32;

/** The key that signs events. All processes of an installation use the same one. */
export const eventKeySetting = Type.Optional({
  ...secret('Signs events, so that forged ones are recognized'),
  minLength: eventKeyLengthMin,
});

const milliseconds = (fallback: number) =>
  Type.Integer({ default: fallback, minimum: 1, maximum: 300_000 });
const spans = (fallback: number) =>
  Type.Integer({ default: fallback, minimum: 1, maximum: 65_536 });

/**
 * The settings of OpenTelemetry, with its names and defaults. The exporter itself reads the other
 * `OTEL_EXPORTER_OTLP_…`, and `libs/telemetry` reads `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES`.
 */
export const telemetrySettings = {
  OTEL_SDK_DISABLED: Type.Boolean({ default: false, description: 'Records no spans' }),
  OTEL_TRACES_EXPORTER: Type.Union([Type.Literal('otlp'), Type.Literal('none')], {
    default: 'otlp',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(Type.String()),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: Type.Optional(Type.String()),
  OTEL_TRACES_SAMPLER: Type.Union(
    samplerNames.map((name) => Type.Literal(name)),
    { default: 'parentbased_always_on' },
  ),
  OTEL_TRACES_SAMPLER_ARG: Type.Number({
    default: 1,
    minimum: 0,
    maximum: 1,
    description: 'Share of the traces that a traceidratio sampler records',
  }),
  OTEL_BSP_SCHEDULE_DELAY: milliseconds(5_000),
  OTEL_BSP_EXPORT_TIMEOUT: milliseconds(30_000),
  OTEL_BSP_MAX_QUEUE_SIZE: spans(2_048),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: spans(512),
};

export type TelemetryConfig = Config<TObject<typeof telemetrySettings>>;

/** Returns what `createTelemetry` needs of these settings. */
export function telemetryOptions(serviceName: string, config: TelemetryConfig): TelemetryOptions {
  const isOn = !config.OTEL_SDK_DISABLED && config.OTEL_TRACES_EXPORTER === 'otlp';
  return {
    serviceName,
    otlpEndpoint: isOn ? config.OTEL_EXPORTER_OTLP_ENDPOINT : undefined,
    otlpTracesEndpoint: isOn ? config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT : undefined,
    sampling: { name: config.OTEL_TRACES_SAMPLER, ratio: config.OTEL_TRACES_SAMPLER_ARG },
    batching: {
      scheduledDelayMillis: config.OTEL_BSP_SCHEDULE_DELAY,
      exportTimeoutMillis: config.OTEL_BSP_EXPORT_TIMEOUT,
      maxQueueSize: config.OTEL_BSP_MAX_QUEUE_SIZE,
      maxExportBatchSize: Math.min(
        config.OTEL_BSP_MAX_EXPORT_BATCH_SIZE,
        config.OTEL_BSP_MAX_QUEUE_SIZE,
      ),
    },
  };
}

/** The settings of every process. A service spreads these into its schema, with those below that it needs. */
export const processSettings = {
  SLUICE_HOST: Type.String({
    default: '127.0.0.1',
    description: 'The address on which its HTTP ports listen',
  }),
  SLUICE_ADMIN_PORT: Type.Integer({ default: 9464, minimum: 0, maximum: 65_535 }),
  SLUICE_LOG_LEVEL: logLevelSetting,
  ...telemetrySettings,
};

/** The settings of a process that other services call. */
export const rpcServerSettings = {
  SLUICE_RPC_TOKEN: secret('The token that callers present'),
  SLUICE_RPC_ADDRESS: Type.String({ default: '127.0.0.1:0', description: 'host:port' }),
};

export const readModelSettings = {
  SLUICE_POSTGRES_URL: secret('postgres://user:password@host:port/database'),
  SLUICE_POSTGRES_CONNECTIONS: Type.Integer({ default: 10, minimum: 2, maximum: 100 }),
};

export const eventStoreSettings = {
  SLUICE_EVENTSTORE_NAMESPACE: namespaceSetting,
  SLUICE_EVENTSTORE_URL: secret('esdb://user:password@host:port?tls=false'),
  SLUICE_EVENT_KEY: eventKeySetting,
};

export const busSettings = {
  SLUICE_NATS_URL: Type.String({ description: 'nats://host:port' }),
  SLUICE_NATS_TOKEN: secret('The token of the message bus'),
};

/** The settings of a service that keeps aggregates. */
export const aggregateSettings = {
  ...processSettings,
  ...rpcServerSettings,
  ...readModelSettings,
  ...eventStoreSettings,
  ...busSettings,
};

export const lastKnownSettings = {
  SLUICE_LAST_KNOWN_MINUTES_MAX: Type.Integer({
    default: 60,
    minimum: 1,
    maximum: 1_440,
    description:
      'Bounds the age of the last known key, policy or credential that is used while there is no newer answer',
  }),
};
