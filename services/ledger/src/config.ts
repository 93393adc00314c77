import { Type } from 'typebox';
import {
  loadConfig,
  processSettings,
  readModelSettings,
  rpcServerSettings,
  secret,
} from '@sluice/boot';

const schema = Type.Object({
  ...processSettings,
  ...rpcServerSettings,
  ...readModelSettings,
  SLUICE_NATS_URL: Type.String({ description: 'nats://host:port, several separated by commas' }),
  SLUICE_NATS_TOKEN: Type.Optional(secret('The token of the message bus')),
  SLUICE_NATS_MONITOR_URL: Type.Optional(
    Type.String({ description: 'http://host:port where the broker reports its settings' }),
  ),
});

export type LedgerConfig = ReturnType<typeof loadLedgerConfig>;

/** Throws InvalidConfig with all problems. */
export function loadLedgerConfig(env: Readonly<Record<string, string | undefined>>) {
  return loadConfig(schema, env);
}
