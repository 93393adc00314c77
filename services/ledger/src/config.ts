import { Type } from 'typebox';
import { loadConfig, secret } from '@sluice/boot';

const schema = Type.Object({
  SLUICE_POSTGRES_URL: secret('postgres://user:password@host:port/database'),
  SLUICE_NATS_URL: Type.String({ description: 'nats://host:port, several separated by commas' }),
  SLUICE_NATS_TOKEN: Type.Optional(secret('What the broker asks of its clients')),
  SLUICE_NATS_MONITOR_URL: Type.Optional(
    Type.String({ description: 'http://host:port where the broker tells its settings' }),
  ),
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

export type LedgerConfig = ReturnType<typeof loadLedgerConfig>;

/** Throws InvalidConfig with all problems. */
export function loadLedgerConfig(env: Readonly<Record<string, string | undefined>>) {
  return loadConfig(schema, env);
}
