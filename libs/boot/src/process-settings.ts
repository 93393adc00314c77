import { defaultNamespace, namespacePattern } from '@sluice/es';
import { Type } from 'typebox';
import { secret } from './config.ts';

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

/** The settings of every process. A service spreads these into its schema, with those below that it needs. */
export const processSettings = {
  SLUICE_HOST: Type.String({
    default: '127.0.0.1',
    description: 'The address on which its HTTP ports listen',
  }),
  SLUICE_ADMIN_PORT: Type.Integer({ default: 9464, minimum: 0, maximum: 65_535 }),
  SLUICE_LOG_LEVEL: logLevelSetting,
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(Type.String()),
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
