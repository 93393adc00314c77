import { Type } from 'typebox';
import { loadConfig, secret } from '@sluice/service';
import type { Peppers } from './commands/key-digest.ts';

const pepperLengthMin = 32;
const pepper = (description: string) => ({
  ...secret(description),
  minLength: pepperLengthMin,
});

const schema = Type.Object({
  SLUICE_POSTGRES_URL: secret('postgres://user:password@host:port/database'),
  SLUICE_EVENTSTORE_URL: secret('esdb://user:password@host:port?tls=false'),
  SLUICE_NATS_URL: Type.String({ description: 'nats://host:port' }),
  SLUICE_NATS_TOKEN: secret('The token of the message bus'),
  SLUICE_ACCOUNT_ADDRESS: Type.String({ description: 'host:port of the account service' }),
  SLUICE_WORKSPACE_ADDRESS: Type.String({ description: 'host:port of the workspace service' }),
  SLUICE_KEY_PEPPER: pepper('The pepper that new keys are digested under'),
  SLUICE_KEY_PEPPER_VERSION: Type.Integer({ default: 1, minimum: 1 }),
  SLUICE_KEY_PEPPER_PREVIOUS: Type.Optional(pepper('The one before it, for the keys of its time')),
  SLUICE_RPC_TOKEN: secret('What callers must present'),
  SLUICE_RPC_ADDRESS: Type.String({ default: '127.0.0.1:0', description: 'host:port' }),
  SLUICE_HOST: Type.String({ default: '127.0.0.1', description: 'Where the admin port listens' }),
  SLUICE_ADMIN_PORT: Type.Integer({ default: 9464, minimum: 0, maximum: 65_535 }),
  SLUICE_LOG_LEVEL: Type.Union(
    [
      Type.Literal('debug'),
      Type.Literal('info'),
      Type.Literal('warn'),
      Type.Literal('error'),
      Type.Literal('silent'),
    ],
    { default: 'info' },
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(Type.String()),
  SLUICE_POSTGRES_CONNECTIONS: Type.Integer({ default: 10, minimum: 2, maximum: 100 }),
});

export type KeyConfig = ReturnType<typeof loadKeyConfig>;

/** Throws InvalidConfig with all problems. */
export function loadKeyConfig(env: Readonly<Record<string, string | undefined>>) {
  return loadConfig(schema, env);
}

/** The peppers by version: the current one, and the one before it when there is one. */
export function peppersOf(config: KeyConfig): Peppers {
  const currentVersion = config.SLUICE_KEY_PEPPER_VERSION;
  const byVersion = new Map([[currentVersion, config.SLUICE_KEY_PEPPER]]);
  const previous = config.SLUICE_KEY_PEPPER_PREVIOUS;
  if (previous !== undefined) byVersion.set(currentVersion - 1, previous);
  return { currentVersion, byVersion };
}
