import { deepEqual, equal, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { ListActivityRequest } from '@sluice/protos/sluice/ledger/v1/ledger';
import { migrate } from '@sluice/read-model';
import type { UsageFact } from '@sluice/usage-facts';
import { describe, test } from 'vitest';
import { aByokFact, aFact } from '@sluice/usage-facts/testing';
import { ledgerFixture as fixture } from './testing/ledger-fixture.ts';

const notFound = { code: 'not_found' };
const invalid = { code: 'invalid_request' };

const pick = (fact: UsageFact, ...names: readonly (keyof UsageFact)[]) =>
  Object.fromEntries(names.map((name) => [name, fact[name]]));

describe('a generation', () => {
  test('is told as it was counted, with its details', async () => {
    const { client, publish, until, count } = await fixture();
    const attempts = [
      {
        provider: 'broken',
        endpointId: 'e-0',
        errorCode: 'provider_unavailable',
        latencyMs: 30n,
        isByok: true,
      },
      { provider: 'sim', endpointId: 'e-1', errorCode: '', latencyMs: 370n, isByok: false },
    ];
    const labels = { externalUser: 'customer-7', sessionId: 's-1', userAgent: 'app/1' };
    const routing = '{"requested": ["sim/small"]}';
    const trace = '{"custom": [1], "trace_id": "t-1"}';
    const media = { inputMedia: 3n, inputAudio: 1n, outputMedia: 2n, imageOutputTokens: 7n };
    const fact = aFact({
      ...labels,
      routing,
      trace,
      httpReferer: 'https://app.example.com/',
      appTitle: 'My app',
      appCategories: ['cli-agent', 'game'],
      attempts,
      serviceTier: 'flex',
      moderationLatencyMs: 38n,
      apiType: 'embeddings',
      app: 'My app',
      dataDiscountNanoUsd: 11n,
      dataDiscountBasisPoints: 100n,
      cacheDiscountNanoUsd: 7n,
      upstreamCostNanoUsd: 1_011n,
      specialTokens: Object.fromEntries(
        Object.entries(media).map(([name, number]) => [name, String(number)]),
      ),
    });
    await publish(fact);
    await until(async () => (await count('usage_facts')) === 1);
    const { generationId } = fact;
    const { generation } = await client.getGeneration({ accountId: 'acct_1', generationId });
    const ofAttempt = { turn: 1, upstreamId: '', serviceTier: '' };
    const served = { turn: 1, upstreamId: fact.upstreamId, serviceTier: 'flex' };
    const all = {
      ...fact,
      ...media,
      byokNanoUsd: 0n,
      turns: [
        {
          turn: 1,
          ...pick(
            fact,
            'model',
            'provider',
            'outcome',
            'finishReason',
            'admittedAt',
            'completedAt',
          ),
          ...pick(fact, 'latencyMs', 'inputTokens', 'outputTokens', 'costNanoUsd', 'feeNanoUsd'),
          isByok: false,
        },
      ],
      toolCalls: [],
      attempts: attempts.map((one) => ({ ...one, ...(one.errorCode ? ofAttempt : served) })),
    };
    const told = Object.keys(generation ?? {}) as (keyof typeof all)[];
    equal(told.length, 48);
    deepEqual(generation, Object.fromEntries(told.map((name) => [name, all[name]])));
  });

  test('is not told to another account, nor before it is counted', async () => {
    const { client, publish, until, count } = await fixture();
    const { generationId } = aFact();
    const ask = (accountId: string, id: string) =>
      client.getGeneration({ accountId, generationId: id });
    await rejects(ask('acct_1', generationId), notFound);
    await publish(aFact({ generationId }));
    await until(async () => (await count('usage_facts')) === 1);
    equal((await ask('acct_1', generationId)).generation?.generationId, generationId);
    await rejects(ask('acct_2', generationId), notFound);
    for (const odd of ['', 'a\0b', `${generationId}/1/1`, '%', 'x'.repeat(10_000)])
      await rejects(ask('acct_1', odd), notFound);
  });

  test('is counted whatever its details are', async () => {
    const { client, publish, until, count } = await fixture();
    const attempts = [
      { provider: '\0', endpointId: '\ud83d', errorCode: '', latencyMs: -1n, isByok: false },
    ];
    const fact = aFact({ externalUser: 'a\0b'.repeat(900), latencyMs: -5n, attempts });
    await publish(fact);
    await until(async () => (await count('usage_facts')) === 1);
    equal(await count('dead_letters'), 0);
    const { generationId } = fact;
    const { generation } = await client.getGeneration({ accountId: 'acct_1', generationId });
    equal(generation?.latencyMs, undefined);
    equal(generation?.externalUser.startsWith('abab'), true);
  });
});

describe('activity', () => {
  const days = { fromDay: '2026-11-01', toDay: '2026-11-30' };
  const asked = { ...days, byWorkspace: false, byApp: false, offset: 0 };
  const account = { accountId: 'acct_1', ...asked };

  test('tells what credits paid for an own credential apart from its list price', async () => {
    const { client, publish, until, count } = await fixture();
    const fact = aByokFact();
    await publish(fact, fact);
    await until(async () => (await count('usage_facts')) === 1);
    const { rows } = await client.listActivity(account);
    deepEqual(
      rows.map((row) => [row.creditsNanoUsd, row.byokNanoUsd]),
      [[30n, 1_000n]],
    );
    const { accountId, generationId } = fact;
    const { generation } = await client.getGeneration({ accountId, generationId });
    deepEqual([generation?.feeNanoUsd, generation?.costNanoUsd], [30n, 1_000n]);
    equal((await client.getCredits({ accountId })).totalUsageNanoUsd, 30n);
    const at = fact.admittedAt;
    const { usages } = await client.getKeyUsage({ accountId, keyHashes: [fact.keyHash], at });
    deepEqual(
      usages.map(({ credits, byok }) => [credits?.monthlyNanoUsd, byok?.monthlyNanoUsd]),
      [[30n, 1_000n]],
    );
  });

  test('sums what was counted, each fact once, newest day and largest cost first', async () => {
    const { client, publish, until, count } = await fixture();
    const twice = aFact({ costNanoUsd: 5n });
    const facts = [
      twice,
      twice,
      aFact({ costNanoUsd: 7n, isByok: true }),
      aFact({ model: 'sim/large', costNanoUsd: 9n }),
      aFact({ admittedAt: '2026-11-19T00:00:00.000Z', costNanoUsd: 1n }),
    ];
    await publish(...facts);
    await until(async () => (await count('usage_facts')) === 4);
    const { rows, isLast } = await client.listActivity(account);
    equal(isLast, true);
    deepEqual(
      rows.map((row) => [row.day, row.model, row.requests, row.creditsNanoUsd, row.byokNanoUsd]),
      [
        ['2026-11-19', 'sim/small', 1n, 1n, 0n],
        ['2026-11-18', 'sim/large', 1n, 9n, 0n],
        ['2026-11-18', 'sim/small', 2n, 5n, 7n],
      ],
    );
    deepEqual(rows[2], {
      day: '2026-11-18',
      model: 'sim/small',
      endpointId: 'endpoint-1',
      provider: 'sim',
      workspaceId: '',
      app: '',
      requests: 2n,
      inputTokens: 20n,
      outputTokens: 40n,
      reasoningTokens: 10n,
      creditsNanoUsd: 5n,
      byokNanoUsd: 7n,
    });
  });

  test('is of the days, key, user, workspace and application that are asked for', async () => {
    const { client, publish, until, count } = await fixture();
    await publish(
      aFact(),
      aFact({ keyHash: 'key2', userId: 'user_2', workspaceId: 'ws_2', app: 'Codex' }),
      aFact({ admittedAt: '2026-10-31T23:59:59.999Z' }),
    );
    await until(async () => (await count('usage_facts')) === 3);
    const requests = async (question: Partial<ListActivityRequest>) =>
      (await client.listActivity({ ...account, ...question })).rows.map((row) => row.requests);
    deepEqual(await requests({}), [2n]);
    deepEqual(await requests({ keyHash: 'key2' }), [1n]);
    deepEqual(await requests({ userId: 'user_2' }), [1n]);
    deepEqual(await requests({ workspaceId: 'ws_1' }), [1n]);
    deepEqual(await requests({ app: 'Codex' }), [1n]);
    deepEqual(await requests({ workspaceId: 'ws_1', userId: 'user_2' }), []);
    deepEqual(await requests({ fromDay: '2026-10-31', toDay: '2026-10-31' }), [1n]);
    deepEqual(await requests({ offset: 1 }), []);
    const { rows } = await client.listActivity({ ...account, byWorkspace: true });
    deepEqual(
      rows.map((row) => [row.workspaceId, row.requests]),
      [
        ['ws_1', 1n],
        ['ws_2', 1n],
      ],
    );
    const split = await client.listActivity({ ...account, byApp: true });
    deepEqual(
      split.rows.map((row) => [row.app, row.requests]),
      [
        ['', 1n],
        ['Codex', 1n],
      ],
    );
  });

  test('is not told to another account', async () => {
    const { client, publish, until, count } = await fixture();
    await publish(aFact());
    await until(async () => (await count('usage_facts')) === 1);
    const question = { ...account, accountId: 'acct_2', keyHash: 'key1', workspaceId: 'ws_1' };
    deepEqual((await client.listActivity(question)).rows, []);
  });

  test('is refused for what is no day, and from outside the bounds', async () => {
    const { client } = await fixture();
    for (const fromDay of ['', 'today', '2026-02-30', '2026-11-01T00:00:00Z'])
      await rejects(client.listActivity({ ...account, fromDay }), invalid);
    for (const offset of [-1, 1_000_001])
      await rejects(client.listActivity({ ...account, offset }), invalid);
  });

  test('of days counted before it was kept is made from their facts', async () => {
    const { client, database, publish, until, count } = await fixture();
    await publish(aFact({ costNanoUsd: 3n }), aFact({ costNanoUsd: 4n, isByok: true }));
    await until(async () => (await count('usage_facts')) === 2);
    const run = (text: string) => database.query({ text, values: [] });
    await run('DROP TABLE activity, feedback');
    await run('DROP INDEX usage_facts_by_generation');
    for (const name of ['0004_activity', '0025_app']) {
      const file = new URL(`./migrations/${name}.sql`, import.meta.url);
      for (const statement of (await readFile(file, 'utf8')).split(/;\n/))
        if (statement.trim() !== '') await run(statement);
    }
    await run('DROP TABLE usage_details');
    // Each start of the service does this: the new tables get their policies.
    await migrate(database, fileURLToPath(new URL('./migrations', import.meta.url)));
    await publish(aFact({ costNanoUsd: 5n, endpointId: '', userId: '' }));
    await until(async () => (await count('usage_facts')) === 3);
    const { rows } = await client.listActivity(account);
    deepEqual(
      rows.map((row) => [row.requests, row.creditsNanoUsd, row.byokNanoUsd, row.inputTokens]),
      [[3n, 8n, 4n, 30n]],
    );
  });
});

describe('feedback', () => {
  test('is kept once per id, several of one generation', async () => {
    const { client, publish, until, count } = await fixture();
    const { generationId } = aFact();
    await publish(aFact({ generationId }));
    await until(async () => (await count('usage_facts')) === 1);
    const given = { accountId: 'acct_1', generationId, category: 'latency', keyHash: 'key1' };
    const feedback = { ...given, comment: 'Slow.', feedbackId: randomUUID() };
    await client.recordFeedback(feedback);
    await client.recordFeedback(feedback);
    await client.recordFeedback({ ...feedback, feedbackId: randomUUID() });
    equal(await count('feedback'), 2);
    await rejects(client.recordFeedback({ ...feedback, accountId: 'acct_2' }), notFound);
    const another = { ...feedback, feedbackId: randomUUID(), generationId: 'gen-none' };
    await rejects(client.recordFeedback(another), notFound);
    await rejects(client.recordFeedback({ ...feedback, category: 'price' }), invalid);
    equal(await count('feedback'), 2);
  });
});
