import { Type } from 'typebox';
import {
  type Env,
  InvalidConfig,
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

const retentionSettings = {
  SLUICE_LEDGER_RETENTION_DAYS: Type.Optional(
    Type.Integer({
      minimum: 7,
      maximum: 400,
      description: 'Days until usage facts are moved to archives; all are kept if it is not set',
    }),
  ),
  SLUICE_LEDGER_ARCHIVE_DIR: Type.Optional(
    Type.String({ description: 'The folder of the archives of usage facts' }),
  ),
};

/** The days that usage facts are in the database, and the folder of their archives. */
export interface FactRetention {
  readonly days: number;
  readonly folder: string;
}

const schema = Type.Object({
  ...processSettings,
  ...rpcServerSettings,
  ...readModelSettings,
  ...suspenseSettings,
  ...retentionSettings,
  SLUICE_NATS_URL: Type.String({ description: 'nats://host:port, several separated by commas' }),
  SLUICE_NATS_TOKEN: Type.Optional(secret('The token of the message bus')),
  SLUICE_NATS_MONITOR_URL: Type.Optional(
    Type.String({ description: 'http://host:port where the broker reports its settings' }),
  ),
});

export type LedgerConfig = ReturnType<typeof loadLedgerConfig>;

/** Throws InvalidConfig with all problems. */
export function loadLedgerConfig(env: Env) {
  return { ...loadConfig(schema, env), retention: loadFactRetention(env) };
}

/** Returns undefined if all facts are kept. Throws InvalidConfig. */
export function loadFactRetention(env: Env): FactRetention | undefined {
  const given = loadConfig(Type.Object(retentionSettings), env);
  const { SLUICE_LEDGER_RETENTION_DAYS: days, SLUICE_LEDGER_ARCHIVE_DIR: folder } = given;
  if (days === undefined) return undefined;
  if (folder !== undefined) return { days, folder };
  throw new InvalidConfig('Settings: SLUICE_LEDGER_RETENTION_DAYS needs SLUICE_LEDGER_ARCHIVE_DIR');
}

/** Returns the hours of suspense, also in a process with other services. Throws InvalidConfig. */
export function loadSuspenseHours(env: Env): number {
  return loadConfig(Type.Object(suspenseSettings), env).SLUICE_SUSPENSE_HOURS;
}
