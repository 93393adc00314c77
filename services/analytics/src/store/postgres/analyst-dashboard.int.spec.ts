import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '@sluice/read-model';
import { aByokFact, aFact, aToolFact } from '@sluice/usage-facts/testing';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { amounts } from '../../domain/amounts.ts';
import { dimensionsOf, noBins } from '../../domain/usage-row.ts';
import { type AnalystDatabase, openAsAnalyst } from '../testing/analyst.ts';
import {
  changesOf,
  correctedChange,
  correctionOf,
  now,
  retention,
} from '../testing/contract-world.ts';
import { PostgresStore } from './postgres-store.ts';

interface Variable {
  readonly name: string;
  readonly type: string;
  readonly query: string;
  readonly allValue?: string;
}
interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly interval?: string;
  readonly datasource?: { readonly type: string; readonly uid: string };
  readonly fieldConfig: {
    readonly overrides: readonly { matcher: { id: string; options: string } }[];
  };
  readonly options: { readonly sortBy?: readonly { readonly displayName: string }[] };
  readonly targets: readonly {
    readonly format: string;
    readonly rawSql: string;
    readonly datasource: { readonly uid: string };
  }[];
}
interface Choice {
  readonly from?: string;
  readonly to?: string;
  readonly interval?: string;
  /** SQL of the variables. If a variable is absent, all of its values are chosen. */
  readonly account?: string;
  readonly workspace?: string;
}

const file = join(import.meta.dirname, '../../../../../deploy/dashboards/grafana/analytics.json');
const board = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly templating: { readonly list: readonly Variable[] };
  readonly panels: readonly Panel[];
};
const panels = board.panels.filter(({ type }) => type !== 'row');
const variables = board.templating.list.filter(({ type }) => type === 'query');
const seconds: Readonly<Record<string, number>> = { '1h': 3_600, '1d': 86_400, '7d': 604_800 };

/** Expands variables and macros as the data source of Grafana does. */
function expand(text: string, choice: Choice = {}): string {
  const { from = '2026-10-20T00:00:00Z', to = now.toISOString(), interval = '1d' } = choice;
  const chosen: Readonly<Record<string, string | undefined>> = {
    __interval: interval,
    ...Object.fromEntries(variables.map(({ name, allValue }) => [name, allValue])),
    ...(choice.account !== undefined && { account: choice.account }),
    ...(choice.workspace !== undefined && { workspace: choice.workspace }),
  };
  return text
    .replaceAll(/\$(\w+)(?![\w(])/g, (found, name: string) => chosen[name] ?? found)
    .replaceAll(/\$(\w+)\(([^)]*)\)/g, (found, name: string, list: string) => {
      const [column = '', width = ''] = list.split(',').map((one) => one.trim());
      if (name === '__timeFilter') return `${column} BETWEEN '${from}' AND '${to}'`;
      const size = seconds[width];
      if (name !== '__timeGroup' || size === undefined) throw new Error(found);
      return `floor(extract(epoch from ${column})/${size})*${size}`;
    });
}

let opened: AnalystDatabase;
let database: Database;

beforeAll(async () => {
  opened = await openAsAnalyst(inject('postgresUrl'));
  ({ database } = opened);
  await fill();
});
afterAll(() => opened.drop());

async function fill(): Promise<void> {
  const store = new PostgresStore({ database, questions: database, retention });
  await store.begin(now);
  const corrected = aFact({ costNanoUsd: 9n, model: 'sim/corrected' });
  const facts = [
    aFact({
      costNanoUsd: 9_007_199_254_740_993n,
      cacheDiscountNanoUsd: 400n,
      app: 'https://one.example',
    }),
    aFact({ accountId: 'acct_2', workspaceId: 'ws_2', keyHash: 'key2', userId: '' }),
    // The last moment of a month, in which New York has another one.
    aFact({ admittedAt: '2026-10-31T23:59:59.999Z', costNanoUsd: 7n }),
    aByokFact({ cacheDiscountNanoUsd: -150n }),
    aToolFact({ keyHash: 'key3' }),
    aFact({ guardrailInvoked: true, externalUser: 'end "user"', workspaceId: '' }),
    aFact({ responseCacheSourceId: 'gen-0', costNanoUsd: 0n }),
    corrected,
    ...Array.from({ length: 12 }, (_, index) =>
      aFact({
        keyHash: `many${index}`,
        model: `sim/many${index}`,
        workspaceId: `ws_many${index}`,
        userId: `many${index}`,
        app: `https://many${index}.example`,
        provider: `many${index}`,
      }),
    ),
  ];
  await store.apply(changesOf(facts), { kind: 'bus' });
  await store.apply(correctedChange(correctionOf(corrected, { costNanoUsd: 5n })), { kind: 'bus' });
  const blocked = {
    accountId: 'acct_1',
    factId: 'detected/1',
    revision: 0,
    atMs: now.getTime(),
    countedAtMs: now.getTime(),
    dimensions: dimensionsOf({ model: 'sim/small', workspace: 'ws_1', api_key_id: 'key1' }),
    amounts: amounts({ blocked_requests: 1n, guardrail_requests: 1n, failed_requests: 1n }),
    bins: noBins,
  };
  await store.apply([{ before: undefined, after: blocked }], { kind: 'bus' });
  const named = { accountId: 'acct_1', email: '', namedAt: now.toISOString() };
  await store.applyNames([
    { ...named, kind: 'workspace', entityId: 'ws_1', name: 'Search' },
    { ...named, kind: 'key', entityId: 'key1', name: 'Crawler' },
    { ...named, kind: 'member', entityId: 'user_1', name: 'Ada', email: 'ada@example.com' },
  ]);
}

const ask = async (text: string) => await opened.analyst.query({ text, values: [] });

function textOf({ targets, title }: Panel): string {
  const [target] = targets;
  ok(target && targets.length === 1, title);
  return target.rawSql;
}

function panelOf(title: string): Panel {
  const panel = panels.find((one) => one.title === title);
  ok(panel, title);
  return panel;
}

/** Returns the exact sum of a column of a panel, in USD. */
async function sumOf(panel: Panel, column: string, choice?: Choice): Promise<unknown> {
  const [row] = await ask(
    `SELECT trim_scale(sum("${column}"))::text AS sum FROM (${expand(textOf(panel), choice)}) AS panel`,
  );
  return row?.['sum'];
}

/** Returns the credits of the facts, in USD. */
async function creditsOfFacts(condition = 'true'): Promise<unknown> {
  const [row] = await database.query<{ sum: string }>({
    text: `SELECT trim_scale(sum(coalesce(service_nano_usd, 0) + coalesce(fee_nano_usd, 0)) * 0.000000001)::text AS sum
           FROM (
             SELECT facts.*, account_id, workspace_id FROM analytics.facts
               JOIN analytics.place_dictionary ON id = place_ref
           ) AS facts WHERE ${condition}`,
    values: [],
  });
  return row?.sum;
}

test('the dashboard has panels for spend, unit cost, caches, guardrails and agents', () => {
  const titles = board.panels.filter(({ type }) => type === 'row').map(({ title }) => title);
  deepEqual(titles, [
    'Overview',
    'Spend',
    'Unit cost',
    'Caches',
    'Guardrails, failures and refusals',
    'Agents and end users',
  ]);
  equal(new Set(board.panels.map(({ id }) => id)).size, board.panels.length);
});

test('every panel and variable asks the data source that the reader chooses', () => {
  const [source] = board.templating.list;
  deepEqual(source && [source.name, source.type], ['datasource', 'datasource']);
  for (const { title, datasource, targets } of panels) {
    deepEqual(datasource, { type: source?.query, uid: '${datasource}' }, title);
    for (const target of targets) deepEqual(target.datasource, datasource, title);
  }
});

test('a macro or variable that Grafana does not have is found', () => {
  throws(() => expand('SELECT $__timeGroups(day, 1d)'));
  equal(expand('SELECT $acount'), 'SELECT $acount');
});

describe('every panel', () => {
  const choices: Readonly<Record<string, Choice>> = {
    'all accounts': {},
    'one account': { account: `'acct_1'` },
    'two accounts and workspaces, by week': {
      account: `'acct_1','acct_2'`,
      workspace: `'ws_1','ws_2',''`,
      interval: '7d',
    },
  };
  test.each(Object.entries(choices))('has rows for %s', async (_, choice) => {
    for (const panel of panels) {
      const text = expand(textOf(panel), choice);
      ok(!text.includes('$'), text);
      ok((await ask(text)).length > 0, panel.title);
    }
  });

  test('has the columns that it names, and no view but those of analysts', async () => {
    for (const panel of panels) {
      const text = expand(textOf(panel));
      const views = [...text.matchAll(/\bFROM (\w+\.\w+)/g)].map(([, view]) => view);
      ok(views.length > 0, panel.title);
      for (const view of views) ok(/^analytics_v1\.usage_(day|hour)$/.test(view ?? ''), view);
      const [row = {}] = await ask(text);
      const named = [
        ...panel.fieldConfig.overrides.map(({ matcher }) => matcher.options),
        ...(panel.options.sortBy ?? []).map(({ displayName }) => displayName),
      ];
      for (const name of named) ok(name in row, `${panel.title}: ${name}`);
      if (panel.type === 'table') ok(named.length > 0, panel.title);
    }
  });

  test('with a time axis has ascending buckets not narrower than the sums of its view', async () => {
    for (const panel of panels.filter(({ type }) => type === 'timeseries')) {
      const text = textOf(panel);
      equal(panel.targets[0]?.format, 'time_series', panel.title);
      equal(panel.interval, text.includes('usage_hour') ? '1h' : '1d', panel.title);
      const rows = await ask(expand(text, { interval: panel.interval ?? '' }));
      const times = rows.map(({ time }) => Number(time));
      ok(
        times.every((time) => time % (seconds[panel.interval ?? ''] ?? 0) === 0),
        panel.title,
      );
      deepEqual(
        times,
        times.toSorted((a, b) => a - b),
        panel.title,
      );
      equal(
        times[0],
        Date.parse(panel.interval === '1h' ? '2026-10-31T23:00Z' : '2026-10-31T00:00Z') / 1_000,
      );
    }
  });
});

describe('the credits of the facts are the sum of', () => {
  const titles = panels
    .filter((panel) => /AS "?credits"?$/im.test(textOf(panel)) || panel.title.startsWith('Cost by'))
    .map(({ title }) => title);

  test('all panels about spend', () => {
    deepEqual(titles, [
      'Credits',
      'Credits by workspace',
      'Cost by workspace',
      'Credits by key',
      'Cost by key',
      'Credits by model',
      'Cost by model',
      'Credits by member',
      'Cost by member',
      'Credits by application',
      'Cost by application and model',
      'Credits per hour, by provider',
      'Cost by end user',
    ]);
  });

  test.each(titles.filter((title) => title !== 'Cost by end user'))('%s', async (title) => {
    const panel = panelOf(title);
    const column = panel.type === 'timeseries' ? 'credits' : 'Credits';
    // 9007199254740993 + 1000 (other account) + 7 + 30 (fee) + 1000 (tool) + 1000 (guardrail) + 5 (corrected) + 12000
    equal(await creditsOfFacts(), '9007199.254756035');
    for (const interval of Object.keys(seconds))
      equal(await sumOf(panel, column, { interval }), '9007199.254756035');
    equal(
      await sumOf(panel, column, { from: '2026-11-01T00:00:00Z' }),
      await creditsOfFacts(`at >= '2026-11-01T00:00:00Z'`),
    );
    const account = `'acct_2'`;
    equal(await sumOf(panel, column, { account }), await creditsOfFacts(`account_id = ${account}`));
    const workspace = `'ws_1'`;
    equal(
      await sumOf(panel, column, { workspace }),
      await creditsOfFacts(`workspace_id = ${workspace}`),
    );
  });

  test('the panel of end users, for requests that name one', async () => {
    equal(await sumOf(panelOf('Cost by end user'), 'Credits'), '0.000001');
  });
});

test.each(['workspace', 'key', 'model', 'member', 'application'])(
  'the chart by %s has ten series and one for all others',
  async (dimension) => {
    const rows = await ask(expand(textOf(panelOf(`Credits by ${dimension}`))));
    const names = new Set(rows.map(({ metric }) => metric));
    equal(names.size, 11);
    ok(names.has('all others'));
  },
);

test('unit cost is of credits and own credentials, and rates are of their counts', async () => {
  const choice = { account: `'acct_1'`, workspace: `'ws_1'` };
  const valueOf = async (title: string) => {
    const [row] = await ask(expand(textOf(panelOf(title)), choice));
    return Number(row?.[title]);
  };
  // 5 requests; the tool call is none. 9007199254742035 nano-USD of credits and 1000 of own credentials.
  const cost = Number('9007199.254743035');
  equal(await valueOf('Requests'), 5);
  equal(await valueOf('USD per request'), cost / 5);
  equal(await valueOf('Own credentials'), 0.000_001);
  // 30 tokens a request.
  equal(await valueOf('USD per million tokens'), (cost * 1e6) / 150);
  equal(await valueOf('Prompt-cache hit rate'), 0.4);
  // The blocked request is none of the five.
  const [hits] = await ask(expand(textOf(panelOf('Guardrail hits by workspace and key')), choice));
  deepEqual([hits?.['Hits'], hits?.['Blocked'], Number(hits?.['Hit rate'])], ['1', '1', 1 / 6]);
  const [caches] = await ask(expand(textOf(panelOf('Cache hits by model')), choice));
  deepEqual([caches?.['Model'], caches?.['Repeated responses']], ['sim/small', '1']);
  equal(Number(caches?.['Saved']), 0.000_000_25);
  equal(await sumOf(panelOf('Saved by prompt caches'), 'saved'), '0.00000025');
});

test('the variables list accounts and workspaces', async () => {
  const [accounts, workspaces] = variables;
  deepEqual(await ask(expand(accounts?.query ?? '')), [
    { account_id: 'acct_1' },
    { account_id: 'acct_2' },
  ]);
  const listed = await ask(expand(workspaces?.query ?? '', { account: `'acct_1'` }));
  deepEqual(listed[0], { __value: 'ws_1', __text: 'Search' });
  equal(listed.length, 13);
});
