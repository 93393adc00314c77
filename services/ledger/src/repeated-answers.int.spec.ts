import { deepEqual, equal } from 'node:assert/strict';
import { readCountedFacts, type UsageFact, withRepeats, writeFact } from '@sluice/usage-facts';
import { aFact, aRepeat, aRepeatedFact } from '@sluice/usage-facts/testing';
import { describe, test } from 'vitest';
import { ledgerFixture } from './testing/ledger-fixture.ts';

const labels = {
  userAgent: 'app/1',
  appTitle: 'My app',
  appCategories: ['game'],
  guardrailScopes: ['g-1:key:key1', 'g-2:workspace:ws_1'],
  moderationLatencyMs: 3n,
  trace: '{"trace_id": "t-1"}',
};

describe('answers that were repeated and told together', () => {
  const repeats = [
    aRepeat({ externalUser: 'customer-7', sessionId: 's-1', trace: '{"trace_id": "t-2"}' }),
    aRepeat({ sourceId: 'gen-other', startedAt: '2026-11-19T00:00:00.000Z' }),
    aRepeat({ externalUser: 'a\0b'.repeat(900), trace: '{' }),
  ];
  const hits = aRepeatedFact({ ...labels, sequence: 5n, repeats });
  const others = aRepeatedFact({
    model: 'sim/large',
    costNanoUsd: 0n,
    sequence: 10n,
    repeats: [aRepeat()],
  });
  const facts = [aFact({ sequence: 4n }), hits, aFact({ sequence: 9n }), others];
  const all = facts.flatMap(withRepeats);

  test('are each as they were, in the log and alone', async () => {
    const { client, publishBundle, until, count } = await ledgerFixture();
    await publishBundle(facts);
    await until(async () => (await count('usage_facts')) === all.length);
    const told = new Map<string, UsageFact>();
    for await (const { facts: page } of readCountedFacts(client, { after: '', limit: 100 }))
      for (const one of page) if (one.kind === 'recorded') told.set(one.fact.usageId, one.fact);
    for (const fact of all.filter(({ trace }) => trace !== '{'))
      deepEqual(writeFact(told.get(fact.usageId) ?? aFact()), writeFact(fact));
    const [first, , , odd] = withRepeats(hits);
    equal(told.get(odd?.usageId ?? '')?.trace, '');
    equal(told.get(odd?.usageId ?? '')?.externalUser.startsWith('abab'), true);
    equal(told.get(first?.usageId ?? '')?.trace, labels.trace);
    const [{ generationId, sourceId } = aRepeat()] = repeats;
    const { generation } = await client.getGeneration({ accountId: 'acct_1', generationId });
    deepEqual(
      [generation?.responseCacheSourceId, generation?.externalUser, generation?.costNanoUsd],
      [sourceId, 'customer-7', 0n],
    );
  });

  test('are counted once each, however often they come, and cost nothing', async () => {
    const { client, publishBundle, until, count, metrics, watermark } = await ledgerFixture();
    const before = aFact({ sequence: 1n });
    await publishBundle([before, aFact({ sequence: 2n }), aFact({ sequence: 3n })]);
    await publishBundle(facts);
    await publishBundle(facts.toReversed());
    await publishBundle(withRepeats(hits).toReversed());
    const duplicates = all.length + 4;
    const isDone = new RegExp(`outcome="duplicate".*\\} ${String(duplicates)}\\b`);
    await until(async () => isDone.test(await metrics()));
    equal(await count('usage_facts'), all.length + 3);
    equal(await count('dead_letters'), 0);
    equal(await watermark(), 11n);
    const days = { fromDay: '2026-11-01', toDay: '2026-11-30' };
    const asked = { accountId: 'acct_1', ...days, byWorkspace: false, byApp: false, offset: 0 };
    const { rows } = await client.listActivity(asked);
    deepEqual(
      rows.map(({ day, model, requests, creditsNanoUsd }) => [
        day,
        model,
        requests,
        creditsNanoUsd,
      ]),
      [
        ['2026-11-19', 'sim/small', 1n, 0n],
        ['2026-11-18', 'sim/small', 8n, 5_000n],
        ['2026-11-18', 'sim/large', 2n, 0n],
      ],
    );
  });

  test('that no ledger can count become dead letters, and the watermark passes them', async () => {
    const { publishBundle, until, count, watermark } = await ledgerFixture();
    const broken = aRepeatedFact({ sequence: 2n, repeats: [aRepeat({ startedAt: 'now' })] });
    await publishBundle([aFact({ sequence: 1n }), broken, aFact({ sequence: 4n })]);
    await until(async () => (await watermark()) === 4n);
    deepEqual([await count('usage_facts'), await count('dead_letters')], [2, 1]);
  });
});
