import { switchingSettings } from '@sluice/providers';
import {
  type Config,
  loadConfig,
  logLevelSetting,
  namespaceSetting,
  secret,
  telemetrySettings,
} from '@sluice/boot';
import { Type } from 'typebox';

const port = (fallback: number, description: string) =>
  Type.Integer({ default: fallback, minimum: 0, maximum: 65_535, description });

const schema = Type.Object({
  SLUICE_DATA_DIR: Type.String({ default: '.data', description: 'Everything that is kept' }),
  SLUICE_HOST: Type.String({ default: '127.0.0.1', description: 'Where the API listens' }),
  SLUICE_PORT: port(8080, 'The public API; 0 takes a free one'),
  SLUICE_ADMIN_PORT: port(9464, 'livez, readyz and metrics; 0 takes a free one'),
  SLUICE_BOOTSTRAP_CREDITS_USD: Type.String({
    default: '100',
    pattern: String.raw`^\d{1,9}(\.\d{1,9})?$`,
    description: 'What the first organization may spend',
  }),
  SLUICE_LOG_LEVEL: logLevelSetting,
  SLUICE_LOG: Type.Union([Type.Literal('file'), Type.Literal('stdout')], {
    default: 'file',
    description: 'Where the JSON lines go: logs/sluice.log in the data directory, or the terminal',
  }),
  SLUICE_SIMULATOR: Type.Union([Type.Literal('auto'), Type.Literal('on'), Type.Literal('off')], {
    default: 'auto',
    description: 'auto: only where no provider and no catalog is set',
  }),
  SLUICE_POSTGRES_URL: Type.Optional(Type.String({ description: 'One of your own' })),
  SLUICE_NATS_URL: Type.Optional(Type.String({ description: 'One of your own' })),
  SLUICE_NATS_TOKEN: Type.Optional(Type.String()),
  SLUICE_NATS_MONITOR_URL: Type.Optional(Type.String({ description: 'http://host:port' })),
  SLUICE_EVENTSTORE_URL: Type.Optional(secret('One of your own: esdb://user:password@host:port')),
  SLUICE_EVENTSTORE_NAMESPACE: namespaceSetting,
  SLUICE_EVENTSTORE_ACCEPT_LOSS: Type.Boolean({
    default: false,
    description: 'Start although acknowledged events are missing at the end of the log',
  }),
  SLUICE_SIMULATOR_URL: Type.Optional(Type.String({ description: 'One of your own' })),
  ...telemetrySettings,
});

export type LocalSettings = Config<typeof schema>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws InvalidConfig with all problems. */
export function loadLocalSettings(env: Environment): LocalSettings {
  return loadConfig(schema, env);
}

/**
 * Returns true if the simulator's models are offered. By default they are offered if no provider and no catalog is set.
 */
export function wantsSimulator(settings: LocalSettings, env: Environment): boolean {
  if (settings.SLUICE_SIMULATOR !== 'auto') return settings.SLUICE_SIMULATOR === 'on';
  return [...switchingSettings, 'SLUICE_CATALOG'].every((name) => !env[name]);
}
