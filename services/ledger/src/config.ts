import { Type } from 'typebox';
import {
  loadConfig,
  processSettings,
  readModelSettings,
  rpcServerSettings,
  secret,
} from '@sluice/boot';

export const suspenseHoursDefault = 24;

const suspenseSettings = {
  SLUICE_SUSPENSE_HOURS: Type.Integer({
    default: suspenseHoursDefault,
    minimum: 1,
    maximum: 8_760,
    description: "Hours until what a crash left in a customer's suspense is the operator's",
  }),
};

const schema = Type.Object({
  ...processSettings,
  ...rpcServerSettings,
  ...readModelSettings,
  ...suspenseSettings,
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

/** Returns the hours of suspense, also in a process with other services. Throws InvalidConfig. */
export function loadSuspenseHours(env: Readonly<Record<string, string | undefined>>): number {
  return loadConfig(Type.Object(suspenseSettings), env).SLUICE_SUSPENSE_HOURS;
}
