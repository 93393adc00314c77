import { deepEqual, equal, match } from 'node:assert/strict';
import type { AskedQuestion } from '@sluice/analytics-model';
import type { Fault } from '@sluice/errors';
import type { UsageFact } from '@sluice/usage-facts';
import { aFact } from '@sluice/usage-facts/testing';
import { describe, test } from 'vitest';
import type { AnalyticsStore, RowChange } from '../analytics-store.ts';
import {
  ask,
  bus,
  changeOf,
  correctedChange,
  correctionOf,
  rowsOf,
  sums,
} from './contract-world.ts';

/** Specifies the answers of a store about what was known at an instant. */
export function pastContract(make: () => Promise<AnalyticsStore>): void {
  describe('what was known at an instant', () => {
    const month = { start: '2026-10-20T00:00:00Z', end: '2026-11-18T20:00:00Z' };
    const at = (time: string) => `2026-11-18T${time}Z`;
    const questions: readonly AskedQuestion[] = [
      { metrics: [...sums, 'p50_latency'], time_range: month },
      {
        metrics: sums,
        dimensions: ['app', 'context_length_bucket'],
        granularity: 'hour',
        time_range: month,
        order_by: { field: 'date', direction: 'asc' },
      },
      {
        metrics: ['total_usage'],
        filters: [{ field: 'context_length_bucket', operator: 'eq', value: '10K' }],
        time_range: month,
      },
    ];

    test('is what was answered then, whatever was corrected, repeated or late since', async () => {
      const store = await make();
      const answers = async (as_of?: string) =>
        await Promise.all(questions.map((asked) => rowsOf(store, { ...asked, as_of })));
      const estimate = aFact({ app: 'one', latencyMs: 100n, costNanoUsd: 1_000n });
      const expiry = {
        ...correctionOf(estimate, {}),
        source: 'expiry',
        correctedAt: at('12:50:00'),
      };
      const truth = { costNanoUsd: 400n, inputTokens: 2_000n, cachedTokens: 0n };
      const correction = { ...correctionOf(estimate, truth), correctedAt: at('13:00:00') };
      const late = aFact({ admittedAt: '2026-11-02T10:00:00.000Z', app: 'two', latencyMs: 900n });
      const others = aFact({ accountId: 'acct_2' });
      const steps: readonly (readonly [string, readonly RowChange[]])[] = [
        [at('12:40:00'), []],
        [at('12:41:00'), changeOf(estimate, at('12:41:00'))],
        [at('12:42:00'), changeOf(others, at('12:42:00'))],
        [at('12:43:00'), changeOf(estimate, at('12:43:00'))],
        [at('12:44:00'), changeOf(late, at('12:44:00'))],
        [at('12:51:00'), correctedChange(expiry)],
        [at('13:01:00'), correctedChange(correction)],
        [at('13:02:00'), [...correctedChange(correction), ...changeOf(estimate, at('13:02:00'))]],
        [at('13:03:00'), changeOf(aFact({ app: 'one', latencyMs: 500n }), at('13:03:00'))],
      ];
      const known = new Map<string, unknown>();
      for (const [instant, changes] of steps) {
        await store.apply(changes, bus);
        known.set(instant, await answers());
      }
      for (const [instant, answer] of known) deepEqual(await answers(instant), answer, instant);
      equal(new Set([...known.values()].map((one) => JSON.stringify(one))).size, 5);
    });

    test('has both revisions of a fact that came with its correction, or behind it', async () => {
      for (const isBehind of [false, true]) {
        const store = await make();
        const estimate = aFact({ costNanoUsd: 1_000n });
        const corrected = correctionOf(estimate, { costNanoUsd: 400n });
        const changes = [changeOf(estimate, at('12:41:00')), correctedChange(corrected)];
        if (isBehind) for (const each of changes.toReversed()) await store.apply(each, bus);
        else await store.apply(changes.flat(), bus);
        const asked = { metrics: ['total_usage'], time_range: month };
        for (const [as_of, cost] of [
          [at('12:40:59.999'), undefined],
          [at('12:41:00'), 0.000_001],
          [at('13:00:00'), 0.000_001],
          [at('13:00:00.001'), 0.000_000_4],
        ] as const)
          deepEqual((await rowsOf(store, { ...asked, as_of }))[0]?.[0], cost, as_of);
      }
    });

    test('is what the ledger knew, where it had counted long before', async () => {
      const store = await make();
      const [slow, quick] = [aFact({ app: 'slow' }), aFact({ app: 'quick' })];
      const nameOf = ({ usageId }: UsageFact, time: string) => ({
        factIds: [usageId],
        revision: 0,
        day: '2026-11-18',
        countedAtMs: Date.parse(at(time)),
      });
      await store.apply(
        [...changeOf(slow, at('18:00:00')), ...changeOf(quick, at('13:00:05'))],
        bus,
      );
      const asked = { metrics: ['request_count'], dimensions: ['app'], time_range: month };
      equal(await store.hasFacts([nameOf(quick, '13:00:00')]), true);
      equal(await store.hasFacts([nameOf(slow, '13:00:00')]), false);
      const told = [...changeOf(slow, at('13:00:00')), ...changeOf(quick, at('13:00:00'))];
      const applied = await store.apply(told, { kind: 'ledger', after: '', next: '1' });
      deepEqual(applied, { counted: 0, repeated: 2, late: 0 });
      equal(await store.hasFacts([nameOf(slow, '13:00:00')]), true);
      const both = { ...nameOf(quick, '13:00:00'), factIds: [slow.usageId, quick.usageId] };
      equal(await store.hasFacts([both]), true);
      const withUnknown = { ...both, factIds: [...both.factIds, aFact().usageId] };
      equal(await store.hasFacts([withUnknown]), false);
      deepEqual(await rowsOf(store, { ...asked, as_of: at('13:00:00') }), [['slow', 1]]);
      deepEqual(
        await rowsOf(store, { ...asked, as_of: at('13:00:05') }),
        await rowsOf(store, asked),
      );
    });

    test('is refused where single facts are kept no more', async () => {
      const store = await make();
      const refusal = async (asked: Partial<AskedQuestion>) =>
        await ask(store, { metrics: ['request_count'], ...asked }).then(
          () => 'answered',
          ({ code, metadata }: Fault) => JSON.stringify([code, metadata]),
        );
      const as_of = at('13:00:00');
      const early = { start: '2026-10-17T23:59:59Z', end: '2026-11-10T00:00:00Z' };
      const first = { ...early, start: '2026-10-18T00:00:00Z' };
      equal(await refusal({ as_of, time_range: first }), 'answered');
      match(
        await refusal({ as_of, time_range: early }),
        /^\["invalid_request".*"path":"time_range.start"/,
      );
      match(
        await refusal({ as_of: '2026-10-17T23:59:59Z' }),
        /^\["invalid_request".*"path":"as_of"/,
      );
    });
  });
}
