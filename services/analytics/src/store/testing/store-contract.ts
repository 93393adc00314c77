import { deepEqual, equal } from 'node:assert/strict';
import { aDiscountedFact, aFact } from '@sluice/usage-facts/testing';
import { describe, test } from 'vitest';
import type { AnalyticsStore, BatchSource } from '../analytics-store.ts';
import {
  ask,
  bus,
  changeOf,
  changesOf,
  correctedChange,
  correctionOf,
  rowsOf,
  sums,
  wholeYear,
} from './contract-world.ts';
import { pastContract } from './past-contract.ts';

/** Specifies a store of analytics. `make` returns an empty one that has begun at `now`. */
export function storeContract(make: () => Promise<AnalyticsStore>): void {
  describe('the sums of facts', () => {
    test('are there per day, hour, minute, week and month', async () => {
      const store = await make();
      const facts = [
        '2026-11-15T23:59:59.999Z',
        '2026-11-16T00:00:00.000Z',
        '2026-11-18T12:34:56.000Z',
      ];
      await store.apply(changesOf(facts.map((admittedAt) => aFact({ admittedAt }))), bus);
      const by = async (granularity: string, time_range = wholeYear) =>
        (await rowsOf(store, { metrics: ['request_count'], granularity, time_range })).map(
          ([at, requests]) => `${String(at).slice(0, 16)} ${String(requests)}`,
        );
      deepEqual(await by('day'), [
        '2026-11-18T00:00 1',
        '2026-11-16T00:00 1',
        '2026-11-15T00:00 1',
      ]);
      deepEqual(await by('week'), ['2026-11-16T00:00 2', '2026-11-09T00:00 1']);
      deepEqual(await by('month'), ['2026-11-01T00:00 3']);
      const month = { start: '2026-11-01T00:00:00Z', end: '2026-11-19T00:00:00Z' };
      deepEqual(await by('hour', month), [
        '2026-11-18T12:00 1',
        '2026-11-16T00:00 1',
        '2026-11-15T23:00 1',
      ]);
      const hours = { start: '2026-11-18T11:00:00Z', end: '2026-11-18T14:00:00Z' };
      deepEqual(await by('minute', hours), ['2026-11-18T12:34 1']);
    });

    test('of a range that ends within a day have nothing of later that day', async () => {
      const store = await make();
      const at = (time: string) => `2026-11-17T${time}.000Z`;
      await store.apply(
        changesOf([
          aFact({ admittedAt: at('09:00:00') }),
          aFact({ admittedAt: at('10:30:00'), toolType: 'service:web_search' }),
          aFact({ admittedAt: at('23:59:59'), accountId: 'acct_2' }),
        ]),
        bus,
      );
      const ending = async (end: string) =>
        await rowsOf(store, {
          metrics: ['request_count', 'usage_web'],
          granularity: 'day',
          time_range: { start: '2026-11-01T00:00:00Z', end },
        });
      const day = '2026-11-17T00:00:00.000Z';
      deepEqual(await ending('2026-11-17T10:30:00Z'), [[day, 1, null]]);
      deepEqual(await ending('2026-11-17T10:30:01Z'), [[day, 1, 0.000_001]]);
      await store.apply(changeOf(aFact({ admittedAt: at('20:00:00') })), bus);
      deepEqual(await ending('2026-11-17T10:30:01Z'), [[day, 1, 0.000_001]]);
      deepEqual(await ending('2026-11-17T20:00:01Z'), [[day, 2, 0.000_001]]);
    });

    test('are the same however facts come: twice, out of order, before their corrections or after', async () => {
      const estimate = aFact({ costNanoUsd: 1_000n, isByok: false });
      const other = aFact({ costNanoUsd: 7n });
      const correction = correctionOf(estimate, {
        costNanoUsd: 400n,
        inputTokens: 2_000n,
        cachedTokens: 0n,
      });
      const steps = [changeOf(estimate), changeOf(other), correctedChange(correction)];
      const orders = [
        [0, 1, 2],
        [2, 0, 1],
        [2, 1, 0, 2, 0],
        [0, 0, 1, 2, 2, 1],
      ];
      for (const order of orders) {
        const store = await make();
        for (const index of order) await store.apply(steps[index] ?? [], bus);
        deepEqual(
          await rowsOf(store, { metrics: sums }),
          [[2, 2_050, 0.000_000_407]],
          String(order),
        );
        deepEqual(
          await rowsOf(store, {
            metrics: ['request_count'],
            dimensions: ['context_length_bucket'],
            order_by: { field: 'context_length_bucket', direction: 'asc' },
          }),
          [
            ['1K', 1],
            ['10K', 1],
          ],
        );
        const batch = await make();
        await batch.apply(
          order.flatMap((index) => steps[index] ?? []),
          bus,
        );
        deepEqual(
          await rowsOf(batch, { metrics: sums }),
          [[2, 2_050, 0.000_000_407]],
          String(order),
        );
      }
    });

    test('of an expiry are those of its estimate', async () => {
      const store = await make();
      const estimate = aFact({ costNanoUsd: 1_000n });
      const expiry = { ...correctionOf(estimate, {}), source: 'expiry' };
      const correction = correctionOf(estimate, { costNanoUsd: 900n });
      await store.apply(correctedChange(correction), bus);
      await store.apply([...correctedChange(expiry), ...changeOf(estimate)], bus);
      deepEqual(await rowsOf(store, { metrics: ['total_usage'] }), [[0.000_000_9]]);
    });

    test('of each kind of cost are apart', async () => {
      const store = await make();
      await store.apply(
        changesOf([
          aFact({ costNanoUsd: 1_000n }),
          aDiscountedFact(),
          aFact({
            isByok: true,
            costNanoUsd: 500n,
            feeNanoUsd: 25n,
            cacheDiscountNanoUsd: 30n,
          }),
          aFact({
            usageId: 'gen-1/tool/1',
            toolType: 'service:web_search',
            costNanoUsd: 70n,
            upstreamCostNanoUsd: 90n,
          }),
        ]),
        bus,
      );
      const metrics = [
        'total_usage',
        'credits_usage',
        'service_usage',
        'byok_fees',
        'byok_usage',
        'usage_upstream',
        'usage_web',
        'usage_upstream_web',
        'usage_file',
        'usage_cache',
        'usage_data',
        'request_count',
        'byok_request_count',
        'tool_call_count',
      ];
      const nano = (amount: number) => amount / 1e9;
      deepEqual(await rowsOf(store, { metrics }), [
        [
          nano(2_585),
          nano(2_085),
          nano(2_060),
          nano(25),
          nano(500),
          nano(2_590),
          nano(70),
          nano(90),
          null,
          nano(-30),
          nano(-10),
          3,
          1,
          1,
        ],
      ]);
    });
  });

  describe('the ledger', () => {
    const ledger = (after: string, next: string): BatchSource => ({ kind: 'ledger', after, next });

    test('brings what is older than facts are kept, once, and its corrections', async () => {
      const store = await make();
      const old = aFact({ admittedAt: '2026-03-01T10:00:00.000Z', costNanoUsd: 1_000n });
      const late = await store.apply(changeOf(old), bus);
      deepEqual(late, { counted: 0, repeated: 0, late: 1 });
      await store.apply(changeOf(old), ledger('', '1'));
      const correction = correctionOf(old, { costNanoUsd: 600n });
      await store.apply(correctedChange(correction), ledger('1', '2'));
      equal(await store.ledgerCursor(), '2');
      await store.apply([...changeOf(old), ...correctedChange(correction)], bus);
      const asked = { metrics: sums, granularity: 'day', time_range: wholeYear };
      deepEqual(await rowsOf(store, asked), [['2026-03-01T00:00:00.000Z', 1, 30, 0.000_000_6]]);
    });

    test('changes nothing that the bus has brought, and is read from where it was', async () => {
      const store = await make();
      const fact = aFact();
      await store.apply(changeOf(fact), bus);
      await store.apply(changeOf(fact), ledger('', '1'));
      deepEqual(await rowsOf(store, { metrics: ['request_count'] }), [[1]]);
      const stale = store.apply(changeOf(aFact()), ledger('', '1'));
      equal(await stale.catch((error: Error) => error.name), 'StaleCursor');
      deepEqual(await rowsOf(store, { metrics: ['request_count'] }), [[1]]);
    });
  });

  pastContract(make);

  describe('an answer', () => {
    test('is of the account alone', async () => {
      const store = await make();
      const workspaceId = '11111111-1111-4111-8111-111111111111';
      await store.apply(changesOf([aFact({ workspaceId }), aFact({ accountId: 'acct_2' })]), bus);
      deepEqual(await rowsOf(store, { metrics: ['request_count'] }), [[1]]);
      const filters = [{ field: 'workspace', operator: 'eq', value: workspaceId }];
      deepEqual(await rowsOf(store, { metrics: ['request_count'], filters }, 'acct_2'), []);
      deepEqual(await rowsOf(store, { metrics: ['request_count'] }, 'acct_3'), []);
    });

    test('shows the names of keys, workspaces and members', async () => {
      const store = await make();
      await store.apply(changesOf([aFact(), aFact({ userId: '' })]), bus);
      const named = { accountId: 'acct_1', email: '', namedAt: '2026-11-18T00:00:00.000Z' };
      await store.applyNames([
        { ...named, kind: 'key', entityId: 'key1', name: 'Nightly' },
        { ...named, kind: 'member', entityId: 'user_1', name: 'Ada', email: 'ada@example.com' },
        {
          ...named,
          kind: 'key',
          entityId: 'key1',
          name: 'Old',
          namedAt: '2026-11-17T00:00:00.000Z',
        },
      ]);
      const dimensions = ['api_key_id', 'user'];
      const { rows } = await ask(store, { metrics: ['request_count'], dimensions });
      deepEqual(
        rows.map((row) => [row.dimensions, row.emails]),
        [
          [{ api_key_id: 'Nightly', user: null }, { user: null }],
          [{ api_key_id: 'Nightly', user: 'Ada' }, { user: 'ada@example.com' }],
        ],
      );
    });

    test('has percentiles within a hundredth, from facts and from sums', async () => {
      const store = await make();
      const latencies = Array.from({ length: 1_000 }, (_, index) => BigInt(index + 1));
      await store.apply(changesOf(latencies.map((latencyMs) => aFact({ latencyMs }))), bus);
      const metrics = ['p50_latency', 'p90_latency', 'p99_latency', 'avg_latency'];
      for (const time_range of [
        { start: '2026-11-18T00:00:00Z', end: '2026-11-19T00:00:00Z' },
        { start: '2026-11-18T11:30:00Z', end: '2026-11-18T12:30:00Z' },
      ]) {
        const [row = []] = await rowsOf(store, { metrics, time_range });
        const wanted = [500, 900, 990, 500.5];
        for (const [index, value] of row.entries()) {
          const [found, right] = [Number(value), wanted[index] ?? 0];
          equal(Math.abs(found - right) <= right / 100 + 1, true, `${metrics[index]} ${found}`);
        }
      }
    });

    test('has up to 10,000 groups', async () => {
      const store = await make();
      const users = Array.from({ length: 10_001 }, (_, at) => `customer-${at}`);
      for (let from = 0; from < users.length; from += 2_000) {
        const facts = users
          .slice(from, from + 2_000)
          .map((externalUser) => aFact({ externalUser }));
        await store.apply(changesOf(facts), bus);
      }
      const asked = { metrics: ['request_count'], dimensions: ['external_user'], limit: 10_000 };
      const { rows, truncated } = await ask(store, asked);
      const found = new Set(rows.map(({ dimensions }) => dimensions.external_user));
      deepEqual([rows.length, found.size, truncated], [10_000, 10_000, true]);
    });

    test('is cut at its limit and says so, and keeps some rows of each group', async () => {
      const store = await make();
      const models = ['a', 'b', 'c', 'a', 'b', 'a'];
      const facts = models.map((model, index) =>
        aFact({ model, admittedAt: `2026-11-1${index}T12:00:00.000Z` }),
      );
      await store.apply(changesOf(facts), bus);
      const asked = { metrics: ['request_count'], dimensions: ['model'], time_range: wholeYear };
      const cut = await ask(store, { ...asked, limit: 2 });
      deepEqual([cut.rows.length, cut.truncated], [2, true]);
      const whole = await ask(store, { ...asked, limit: 3 });
      deepEqual([whole.rows.length, whole.truncated], [3, false]);
      const grouped = { ...asked, granularity: 'day', group_limit: 1 };
      deepEqual(
        (await rowsOf(store, grouped)).map(([at, model]) => [String(at).slice(8, 10), model]),
        [
          ['15', 'a'],
          ['14', 'b'],
          ['12', 'c'],
        ],
      );
    });
  });

  describe('a filter', () => {
    const cases = [
      ['eq', 'a', undefined, ['a']],
      ['neq', 'a', undefined, ['', 'b', 'c']],
      ['in', ['a', 'b'], undefined, ['a', 'b']],
      ['in', ['a'], true, ['', 'a']],
      ['not_in', ['a'], undefined, ['b', 'c']],
      ['not_in', ['a'], true, ['', 'b', 'c']],
      ['gt', 'a', undefined, ['b', 'c']],
      ['gte', 'b', undefined, ['b', 'c']],
      ['lt', 'b', undefined, ['a']],
      ['lte', 'b', undefined, ['a', 'b']],
    ] as const;
    test('passes what it says, and usage without a value where it says so', async () => {
      const store = await make();
      await store.apply(changesOf(['a', 'b', 'c', ''].map((app) => aFact({ app }))), bus);
      for (const [operator, value, include_unset, expected] of cases) {
        const filters = [{ field: 'app', operator, value, include_unset }];
        const rows = await rowsOf(store, {
          metrics: ['request_count'],
          dimensions: ['app'],
          filters,
        });
        const apps = rows.map(([app]) => String(app ?? ''));
        deepEqual(
          apps.toSorted((a, b) => (a < b ? -1 : 1)),
          expected,
          operator,
        );
      }
    });
  });

  test('rows that differ in what was not asked for are one group, among those of other accounts', async () => {
    const store = await make();
    const facts = Array.from({ length: 24 }, (_, at) => ({
      accountId: `acct_${1 + (at % 2)}`,
      provider: `provider-${at % 3}`,
      finishReason: at % 4 < 2 ? 'stop' : 'length',
      externalUser: `customer-${at % 6}`,
      app: `app-${at}`,
    }));
    await store.apply(changesOf(facts.map(aFact)), bus);
    const asked = [
      ['provider', 'external_user'],
      ['finish_reason', 'workspace'],
      ['provider', 'finish_reason'],
      ['api_key_id', 'model'],
    ] as const;
    for (const dimensions of asked) {
      const rows = await rowsOf(store, { metrics: ['request_count'], dimensions });
      const keys = rows.map((row) => row.slice(0, 2).join());
      equal(new Set(keys).size, rows.length, dimensions.join());
      equal(
        rows.reduce((sum, [, , count]) => sum + Number(count), 0),
        12,
        dimensions.join(),
      );
    }
    const dimensions = ['provider', 'external_user'];
    deepEqual(await rowsOf(store, { metrics: ['request_count'], dimensions }), [
      ['provider-0', 'customer-0', 4],
      ['provider-1', 'customer-4', 4],
      ['provider-2', 'customer-2', 4],
    ]);
  });

  test('a question has up to 20 filters, and names any characters', async () => {
    const store = await make();
    const names = ["'; DROP TABLE facts; --", '"{}\\,NULL', '%_$1 ${x}', '<b>ä\u{1F600}', '?1:{a}'];
    const facts = names.map((name) => aFact({ externalUser: name, app: name }));
    await store.apply(changesOf(facts), bus);
    const dimensions = ['external_user', 'app'];
    for (const name of names) {
      const filters = Array.from({ length: 20 }, (_, at) => {
        const field = dimensions[at % 2] ?? '';
        return at < 4
          ? { field, operator: 'eq', value: name }
          : { field, operator: 'in', value: names.toSpliced(at % names.length, 0, `${name}${at}`) };
      });
      const asked = { metrics: ['request_count'], dimensions, filters };
      deepEqual(await rowsOf(store, asked), [[name, name, 1]]);
    }
  });

  test('a request is counted by its first turn, and the operator pays for failed attempts', async () => {
    const store = await make();
    await store.apply(
      changesOf([
        aFact({ usageId: 'gen-x/1/1' }),
        aFact({ usageId: 'gen-x/1/2' }),
        aFact({
          usageId: 'gen-y/1/1',
          outcome: 'failed',
          costNanoUsd: 0n,
          upstreamCostNanoUsd: 9n,
        }),
      ]),
      bus,
    );
    deepEqual(await rowsOf(store, { metrics: sums }), [[1, 60, 0.000_002]]);
  });

  test('old rows are dropped once the ledger was read, and sums stay', async () => {
    const store = await make();
    await store.apply(changesOf([aFact(), aFact({ admittedAt: '2026-10-20T12:00:00.000Z' })]), bus);
    const later = new Date('2026-12-01T00:00:00.000Z');
    await store.retain(later);
    const minutes = { start: '2026-10-20T11:00:00Z', end: '2026-10-20T13:00:00Z' };
    const asked = { metrics: ['request_count'], granularity: 'minute', time_range: minutes };
    equal((await rowsOf(store, asked)).length, 1);
    await store.ledgerIsRead(later);
    equal((await store.retain(later)) > 0, true);
    const { rows, warnings } = await ask(store, asked);
    deepEqual([rows.length, warnings.length], [0, 1]);
    deepEqual(await rowsOf(store, { metrics: ['request_count'], time_range: wholeYear }), [[2]]);
  });
}
