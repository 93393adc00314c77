import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type Database, migrate, openDatabase } from '@sluice/read-model';
import { plainOwner } from '@sluice/read-model/testing';
import { aByokFact, aFact, aToolFact } from '@sluice/usage-facts/testing';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { amounts } from '../../domain/amounts.ts';
import { dimensionsOf, noBins } from '../../domain/usage-row.ts';
import { analyticsSchema } from '../../schema.ts';
import { type AnalystDatabase, openAsAnalyst } from '../testing/analyst.ts';
import {
  changesOf,
  correctedChange,
  correctionOf,
  now,
  retention,
} from '../testing/contract-world.ts';
import { PostgresStore } from './postgres-store.ts';

const sql = (text: string) => ({ text, values: [] });
const denied = /permission denied/;

let opened: AnalystDatabase;
let database: Database;
let analyst: Database;

beforeAll(async () => {
  opened = await openAsAnalyst(inject('postgresUrl'));
  ({ database, analyst } = opened);
  await fill();
});
afterAll(() => opened.drop());

async function fill(): Promise<void> {
  const store = new PostgresStore({ database, questions: database, retention });
  await store.begin(now);
  const corrected = aFact({ model: 'openai/gpt-5:free', costNanoUsd: 9n });
  const facts = [
    aFact({ costNanoUsd: 9_007_199_254_740_993n, app: 'https://one.example' }),
    aFact({ accountId: 'acct_2', workspaceId: 'ws_2', keyHash: 'key2', userId: '' }),
    // The last moment of a month, in which New York has another one.
    aFact({ admittedAt: '2026-10-31T23:59:59.999Z', costNanoUsd: 7n }),
    aByokFact(),
    aToolFact({ keyHash: 'key3' }),
    corrected,
  ];
  await store.apply(changesOf(facts), { kind: 'bus' });
  await store.apply(
    correctedChange(correctionOf(corrected, { costNanoUsd: 5n, inputTokens: 11n })),
    { kind: 'bus' },
  );
  const failed = {
    accountId: 'acct_1',
    factId: 'failed/1',
    revision: 0,
    atMs: now.getTime(),
    countedAtMs: now.getTime(),
    dimensions: dimensionsOf({ model: 'sim/broken' }),
    amounts: amounts({ failed_requests: 1n }),
    bins: noBins,
  };
  await store.apply([{ before: undefined, after: failed }], { kind: 'bus' });
  const named = { accountId: 'acct_1', email: '', namedAt: now.toISOString() };
  await store.applyNames([
    { ...named, kind: 'workspace', entityId: 'ws_1', name: 'Search' },
    { ...named, kind: 'key', entityId: 'key1', name: 'Crawler' },
    { ...named, kind: 'member', entityId: 'user_1', name: 'Ada', email: 'ada@example.com' },
    // A name of another account is not shown here.
    { ...named, accountId: 'acct_2', kind: 'key', entityId: 'key3', name: 'Wrong' },
  ]);
}

describe('the role of analysts', () => {
  test('reads the views, of all accounts, with the names of this moment', async () => {
    const rows = await analyst.query(
      sql(`SELECT DISTINCT account_id AS account, workspace_name AS workspace, key_name AS key, user_email AS email
           FROM usage_day WHERE requests > 0 ORDER BY 1`),
    );
    deepEqual(rows, [
      { account: 'acct_1', workspace: 'Search', key: 'Crawler', email: 'ada@example.com' },
      { account: 'acct_2', workspace: null, key: null, email: null },
    ]);
    deepEqual(await analyst.query(sql(`SELECT key_name FROM usage_hour WHERE key_hash = 'key3'`)), [
      { key_name: null },
    ]);
  });

  test.each(['facts', 'usage_hour', 'usage_day', 'names', 'progress', 'migrations'])(
    'cannot read the table %s',
    async (table) => {
      await rejects(analyst.query(sql(`SELECT FROM analytics.${table}`)), denied);
    },
  );

  test.each([
    'DELETE FROM usage_day',
    `UPDATE usage_hour SET model = ''`,
    `INSERT INTO usage_hour (account_id) VALUES ('acct_1')`,
    'DELETE FROM focus_cost_and_usage',
    'DROP VIEW usage_day',
    'CREATE TABLE analytics_v1.mine (a int)',
    'CREATE TABLE analytics.mine (a int)',
    'CREATE TABLE public.mine (a int)',
    'SET ROLE sluice_tenant',
    `SELECT analytics.ensure_partition('facts', now(), now())`,
  ])('cannot %s', async (text) => {
    await rejects(
      analyst.query(sql(text)),
      /permission denied|must be owner|cannot (delete|update|insert)/,
    );
  });

  test('has no right but to select from the views', async () => {
    const found = await database.query<{ schema: string; relation: string; rights: string }>(
      sql(`SELECT relnamespace::regnamespace::text AS schema, relname::text AS relation,
             string_agg(privilege_type, ',') AS rights
           FROM pg_class, aclexplode(relacl) WHERE grantee = 'sluice_analyst'::regrole
           GROUP BY 1, 2 ORDER BY 2`),
    );
    deepEqual(
      found,
      ['focus_cost_and_usage', 'usage_day', 'usage_hour'].map((relation) => ({
        schema: 'analytics_v1',
        relation,
        rights: 'SELECT',
      })),
    );
  });

  test('is not the role of accounts, to which the views are closed', async () => {
    await rejects(
      database.forAccount('acct_1').query(sql('SELECT FROM analytics_v1.usage_day')),
      denied,
    );
  });

  test('runs the queries of the documentation', async () => {
    const grafana = opened.documented('$__timeFilter').replace('$__timeFilter(day)', 'true');
    const days = await analyst.query<{ metric: string; credits: string }>(sql(grafana));
    // 31 October, and two workspaces on 18 November.
    equal(days.filter(({ credits }) => Number(credits) > 0).length, 3);
    const dbt = opened
      .documented('source(')
      .replace(/\{\{.*\}\}/, 'analytics_v1.focus_cost_and_usage');
    ok((await analyst.query(sql(dbt))).length > 0);
  });

  test('is not needed for a view of one account, which the documentation makes', async () => {
    const team = `team_${randomBytes(8).toString('hex')}`;
    await opened.owner.asAdministrator(
      opened.documented('security_barrier').replaceAll('team_one', team),
    );
    const reader = opened.as(team, team);
    try {
      const accounts = await reader.query(sql('SELECT DISTINCT account_id FROM usage_day'));
      deepEqual(accounts, [{ account_id: 'acct_1' }]);
      await rejects(reader.query(sql('SELECT FROM analytics_v1.usage_day')), denied);
    } finally {
      await reader.stop();
      await opened.owner.asAdministrator(`DROP SCHEMA ${team} CASCADE; DROP ROLE ${team}`);
    }
  });

  test('may be there before the views are', async () => {
    const other = await plainOwner(inject('postgresUrl'));
    await other.prepare();
    const late = openDatabase({ url: other.url, schema: 'analytics', connectionsMax: 2 });
    try {
      await migrate(late, analyticsSchema.migrations);
      const [rights] = await late.query(
        sql(`SELECT has_schema_privilege('sluice_analyst', 'analytics_v1', 'USAGE') AS "mayUse",
               has_table_privilege('sluice_analyst', 'analytics_v1.usage_day', 'SELECT') AS "mayRead"`),
      );
      deepEqual(rights, { mayUse: true, mayRead: true });
    } finally {
      await late.stop();
      await other.drop();
    }
  });
});

interface Sums {
  readonly [column: string]: unknown;
  readonly credits: string;
  readonly byok: string;
  readonly input: string;
}

test('the sums of the views are those of the tables, in nano-USD and exactly in USD', async () => {
  const credits = 'coalesce(service_nano_usd, 0) + coalesce(fee_nano_usd, 0)';
  const [facts] = await database.query<Sums>(
    sql(`SELECT sum(${credits})::text AS credits, sum(coalesce(byok_nano_usd, 0))::text AS byok,
           sum(input_tokens)::text AS input, sum(requests)::text AS requests,
           sum(failed_requests)::text AS failed FROM analytics.facts`),
  );
  // 9007199254740993 + 1000 (other account) + 7 + 30 (fee) + 1000 (tool) + 5 (corrected from 9)
  equal(facts?.credits, '9007199254743035');
  for (const view of ['usage_hour', 'usage_day']) {
    const [sums] = await analyst.query<Sums>(
      sql(`SELECT sum(credits_nano_usd)::text AS credits, sum(byok_nano_usd)::text AS byok,
             sum(input_tokens)::text AS input, sum(requests)::text AS requests,
             sum(failed_requests)::text AS failed FROM ${view}`),
    );
    deepEqual(sums, facts, view);
    const [exact] = await analyst.query(
      sql(`SELECT sum(credits_usd)::text AS credits, sum(credits_usd - service_usd - fee_usd)::text AS rest
           FROM ${view}`),
    );
    deepEqual(exact, { credits: '9007199.254743035', rest: '0.000000000' }, view);
  }
  const [focus] = await analyst.query(
    sql(`SELECT sum("BilledCost")::text AS billed, sum("x_BilledCostNanoUsd")::text AS credits,
           sum("x_ByokCostNanoUsd")::text AS byok, sum("x_InputTokens")::text AS input FROM focus_cost_and_usage`),
  );
  deepEqual(focus, {
    billed: '9007199.254743035',
    credits: facts?.credits,
    byok: facts?.byok,
    input: facts?.input,
  });
});

/** The type of each column of FOCUS, and whether the specification lets it be null for a charge of usage. */
const focusColumns: Readonly<Record<string, readonly [type: string, nullable: boolean]>> = {
  BilledCost: ['numeric', false],
  BillingAccountId: ['text', false],
  BillingAccountName: ['text', true],
  BillingAccountType: ['text', false],
  BillingCurrency: ['text', false],
  BillingPeriodEnd: ['timestamp with time zone', false],
  BillingPeriodStart: ['timestamp with time zone', false],
  ChargeCategory: ['text', false],
  ChargeClass: ['text', true],
  ChargeDescription: ['text', false],
  ChargeFrequency: ['text', false],
  ChargePeriodEnd: ['timestamp with time zone', false],
  ChargePeriodStart: ['timestamp with time zone', false],
  ConsumedQuantity: ['numeric', false],
  ConsumedUnit: ['text', false],
  ContractedCost: ['numeric', false],
  EffectiveCost: ['numeric', false],
  InvoiceId: ['text', true],
  InvoiceIssuerName: ['text', false],
  ListCost: ['numeric', false],
  PricingCategory: ['text', false],
  PricingQuantity: ['numeric', false],
  PricingUnit: ['text', false],
  ProviderName: ['text', false],
  PublisherName: ['text', false],
  RegionId: ['text', true],
  RegionName: ['text', true],
  ResourceId: ['text', true],
  ResourceName: ['text', true],
  ResourceType: ['text', true],
  ServiceCategory: ['text', false],
  ServiceName: ['text', false],
  ServiceSubcategory: ['text', false],
  SkuId: ['text', false],
  SubAccountId: ['text', true],
  SubAccountName: ['text', true],
  SubAccountType: ['text', true],
  Tags: ['jsonb', true],
};

describe('the FOCUS view', () => {
  test('has the columns of the specification with their types, and all others begin with x_', async () => {
    const columns = await analyst.query<{ name: string; type: string }>(
      sql(`SELECT column_name::text AS name, data_type::text AS type FROM information_schema.columns
           WHERE table_name = 'focus_cost_and_usage' ORDER BY ordinal_position`),
    );
    const types = Object.entries(focusColumns).map(([name, [type]]) => ({ name, type }));
    deepEqual(
      columns.filter(({ name }) => !name.startsWith('x_')),
      types,
    );
  });

  test('keeps the rules of its columns in every row', async () => {
    const required = Object.keys(focusColumns).filter((name) => !focusColumns[name]?.[1]);
    const rules = [
      ...required.map((name) => `"${name}" IS NOT NULL`),
      `"ChargeCategory" = 'Usage' AND "ChargeClass" IS NULL AND "ChargeFrequency" = 'Usage-Based'`,
      `"BilledCost" = "EffectiveCost" AND "ContractedCost" = "ListCost" AND "ListCost" >= "BilledCost"`,
      `"BilledCost" * 1000000000 = "x_BilledCostNanoUsd" AND "ListCost" * 1000000000 = "x_ListCostNanoUsd"`,
      `"ConsumedQuantity" > 0 AND "PricingQuantity" = "ConsumedQuantity" AND "PricingUnit" = "ConsumedUnit"`,
      `"ChargePeriodStart" >= "BillingPeriodStart" AND "ChargePeriodEnd" <= "BillingPeriodEnd"`,
      `("ResourceId" IS NULL) = ("ResourceType" IS NULL) AND ("ResourceId" IS NOT NULL OR "ResourceName" IS NULL)`,
      `("SubAccountId" IS NULL) = ("SubAccountType" IS NULL)`,
      `jsonb_typeof("Tags") = 'object' AND NOT jsonb_path_exists("Tags", '$.* ? (@.type() != "string")')`,
    ];
    for (const rule of rules) {
      const [found] = await analyst.query<{ broken: string; rows: string }>(
        sql(`SELECT count(*) FILTER (WHERE (${rule}) IS NOT TRUE)::text AS broken, count(*)::text AS rows
             FROM focus_cost_and_usage`),
      );
      deepEqual(found, { broken: '0', rows: '6' }, rule);
    }
  });

  test('shows a charge as the specification has it', async () => {
    const [october] = await analyst.query(
      sql(`SELECT * FROM focus_cost_and_usage WHERE "BillingPeriodStart" = '2026-10-01T00:00:00Z'`),
    );
    expect(october).toMatchObject({
      BillingPeriodEnd: new Date('2026-11-01T00:00:00Z'),
      ChargePeriodStart: new Date('2026-10-31T00:00:00Z'),
      ChargePeriodEnd: new Date('2026-11-01T00:00:00Z'),
      ResourceName: 'Crawler',
      SubAccountName: 'Search',
      PublisherName: 'sim',
      SkuId: 'sim/small',
      Tags: { 'sluice:user_id': 'user_1' },
    });
    const [tool] = await analyst.query(
      sql(`SELECT "ConsumedQuantity"::text AS quantity, "ConsumedUnit" AS unit
           FROM focus_cost_and_usage WHERE "ResourceId" = 'key3'`),
    );
    deepEqual(tool, { quantity: '1', unit: 'Requests' });
    const variants = await analyst.query(
      sql(`SELECT "PublisherName" AS publisher, "Tags" ->> 'sluice:variant' AS variant, "x_BilledCostNanoUsd"::text AS nano
           FROM focus_cost_and_usage WHERE "SkuId" LIKE 'openai/%'`),
    );
    deepEqual(variants, [{ publisher: 'openai', variant: 'free', nano: '5' }]);
  });
});
