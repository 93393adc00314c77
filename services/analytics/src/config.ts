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
import { egressSettings, loadEgressAddresses } from '@sluice/boot/egress-addresses';
import { type ClickHouseAddress, readAddress } from './store/clickhouse/address.ts';
import type { Retention } from './store/analytics-store.ts';

const days = (fallback: number, minimum: number, description: string) =>
  Type.Integer({ default: fallback, minimum, maximum: 3_660, description });

const retentionSettings = {
  SLUICE_ANALYTICS_FACT_DAYS: days(31, 31, 'Days that single requests are kept for analytics'),
  SLUICE_ANALYTICS_HOUR_DAYS: days(62, 31, 'Days that sums per hour are kept'),
  SLUICE_ANALYTICS_DAY_DAYS: days(400, 365, 'Days that sums per day are kept'),
};

const clickHouseSettings = {
  SLUICE_ANALYTICS_URL: Type.Optional(
    secret(
      'http(s)://user:password@host:8123/database of ClickHouse, which has the facts and sums',
    ),
  ),
  SLUICE_ANALYTICS_CLUSTER: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$',
      description: 'The cluster of ClickHouse that the tables are spread over',
    }),
  ),
};

const schema = Type.Object({
  ...processSettings,
  ...rpcServerSettings,
  ...readModelSettings,
  ...retentionSettings,
  ...clickHouseSettings,
  ...egressSettings,
  SLUICE_NATS_URL: Type.String({ description: 'nats://host:port, several separated by commas' }),
  SLUICE_NATS_TOKEN: Type.Optional(secret('The token of the message bus')),
  SLUICE_LEDGER_ADDRESS: Type.String({ description: 'host:port of the ledger' }),
  SLUICE_WORKSPACE_ADDRESS: Type.String({
    description: 'host:port of the workspace service, which keeps exports and knows destinations',
  }),
});

export type AnalyticsConfig = ReturnType<typeof loadAnalyticsConfig>;

/** Throws InvalidConfig with all problems. */
export function loadAnalyticsConfig(env: Env) {
  return {
    ...loadConfig(schema, env),
    retention: loadRetention(env),
    clickHouse: loadClickHouse(env),
    bucketAddresses: loadEgressAddresses(env),
  };
}

/** Returns how long rows are kept, also in a process with other services. Throws InvalidConfig. */
export function loadRetention(env: Env): Retention {
  const given = loadConfig(Type.Object(retentionSettings), env);
  return {
    factDays: given.SLUICE_ANALYTICS_FACT_DAYS,
    hourDays: given.SLUICE_ANALYTICS_HOUR_DAYS,
    dayDays: given.SLUICE_ANALYTICS_DAY_DAYS,
  };
}

/** Returns the address of ClickHouse. Undefined: PostgreSQL has the facts and sums. Throws InvalidConfig. */
export function loadClickHouse(env: Env): ClickHouseAddress | undefined {
  const given = loadConfig(Type.Object(clickHouseSettings), env);
  const { SLUICE_ANALYTICS_URL: url, SLUICE_ANALYTICS_CLUSTER: cluster } = given;
  if (url === undefined) {
    if (cluster === undefined) return undefined;
    throw new InvalidConfig('Settings: SLUICE_ANALYTICS_CLUSTER needs SLUICE_ANALYTICS_URL');
  }
  const address = readAddress(url.reveal());
  if (address === undefined)
    throw new InvalidConfig(
      'Settings: SLUICE_ANALYTICS_URL must be http(s)://user:password@host:port/database, and the name of ' +
        'the database has letters, digits and _ only',
    );
  return { ...address, cluster };
}
