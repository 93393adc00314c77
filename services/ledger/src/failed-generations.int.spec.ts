import { deepEqual, equal, rejects } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { aFact } from '@sluice/usage-facts/testing';
import { aFailedGeneration } from './testing/a-failed-generation.ts';
import { at, ledgerFixture as fixture, windows } from './testing/ledger-fixture.ts';

const notFound = { code: 'not_found' };
const accountId = 'acct_1';

/** Returns the generation with its turn, which the ledger adds. */
const withTurn = (generation: ReturnType<typeof aFailedGeneration>) => {
  const { model, provider, outcome, finishReason, admittedAt, completedAt, latencyMs } = generation;
  const times = { admittedAt, completedAt, latencyMs };
  const nothing = { inputTokens: 0n, outputTokens: 0n, costNanoUsd: 0n, feeNanoUsd: 0n };
  const turn = { turn: 1, model, provider, outcome, finishReason, ...times, ...nothing };
  return { ...generation, turns: [{ ...turn, isByok: false }] };
};

async function told(...generations: readonly ReturnType<typeof aFailedGeneration>[]) {
  const ledger = await fixture();
  const failures = generations.map((generation) => ({ accountId, generation, turn: 1 }));
  await ledger.client.reportFailures({ failures });
  const ask = async (generationId: string, account = accountId) =>
    (await ledger.client.getGeneration({ accountId: account, generationId })).generation;
  return { ...ledger, ask };
}

describe('a generation that gave no output', () => {
  test('is told with its attempts and why they were made', async () => {
    const failed = aFailedGeneration();
    const { ask } = await told(failed);
    deepEqual(await ask('gen-f'), withTurn(failed));
    await rejects(ask('gen-f', 'acct_2'), notFound);
  });

  test('costs nothing and is nowhere counted, whatever its replica says of it', async () => {
    const { ask, count, keyUsage, client, database } = await told(
      aFailedGeneration({
        costNanoUsd: 5n,
        inputTokens: 7n,
        outputTokens: 9n,
        outcome: 'completed',
      }),
    );
    deepEqual(await ask('gen-f'), withTurn(aFailedGeneration()));
    for (const table of ['usage_facts', 'counters', 'activity', 'postings', 'dead_letters'])
      equal(await count(table), 0, table);
    deepEqual((await keyUsage())?.credits, windows(0n));
    const days = { fromDay: '2026-11-01', toDay: '2026-11-30' };
    const proof = await client.getConservationProof({ accountId, ...days });
    deepEqual([proof.admitted, proof.settled, proof.released, proof.open], [0n, 0n, 0n, 0n]);
    equal((await client.getCredits({ accountId })).totalUsageNanoUsd, 0n);
    equal((await database.query({ text: 'SELECT FROM failed_generations', values: [] })).length, 1);
  });

  test('is kept once, as it was told first', async () => {
    const again = aFailedGeneration({ model: 'sim/large' });
    const { ask, client, count } = await told(aFailedGeneration());
    await client.reportFailures({ failures: [{ accountId, generation: again, turn: 1 }] });
    equal((await ask('gen-f'))?.model, 'sim/small');
    equal(await count('failed_generations'), 1);
  });

  test('gives way to what was counted of it', async () => {
    const { ask, publish, until, count } = await told(aFailedGeneration());
    await publish(aFact({ generationId: 'gen-f', costNanoUsd: 3n }));
    await until(async () => (await count('usage_facts')) === 1);
    equal((await ask('gen-f'))?.costNanoUsd, 3n);
  });

  test('is the end of a response whose earlier turns were served', async () => {
    const { ask, client, publish, until, count } = await told();
    await publish(aFact({ usageId: 'gen-f/1/1', generationId: 'gen-f', costNanoUsd: 3n }));
    await until(async () => (await count('usage_facts')) === 1);
    equal((await ask('gen-f'))?.outcome, 'completed');
    const generation = aFailedGeneration();
    await client.reportFailures({ failures: [{ accountId, generation, turn: 2 }] });
    const { outcome, costNanoUsd, attempts } = (await ask('gen-f')) ?? {};
    deepEqual([outcome, costNanoUsd], ['failed', 3n]);
    deepEqual(
      attempts?.map(({ turn, errorCode }) => [turn, errorCode]),
      [2, 2].map((turn) => [turn, 'provider_unavailable']),
    );
  });

  test('is kept for each turn, and that of a release without turns for the first', async () => {
    const { ask, client, count } = await told();
    const generation = aFailedGeneration();
    for (const turn of [0, 1, 2, -1, 1_001])
      await client.reportFailures({ failures: [{ accountId, generation, turn }] });
    equal(await count('failed_generations'), 2);
    deepEqual(
      (await ask('gen-f'))?.attempts.map(({ turn }) => turn),
      [1, 1, 2, 2],
    );
  });

  test('can be complained about', async () => {
    const { client, count } = await told(aFailedGeneration());
    const feedback = { accountId, category: 'api_error', comment: '', keyHash: 'key1' };
    const feedbackId = '01900000-0000-7000-8000-000000000001';
    await client.recordFeedback({ ...feedback, feedbackId, generationId: 'gen-f' });
    equal(await count('feedback'), 1);
    await rejects(
      client.recordFeedback({ ...feedback, feedbackId, generationId: 'gen-g' }),
      notFound,
    );
  });

  test('is left out when it cannot be kept, and the others are kept', async () => {
    const odd = [
      { generationId: 'a b' },
      { generationId: '' },
      { keyHash: '' },
      { admittedAt: 'today' },
    ];
    const { ask, count } = await told(
      ...odd.map((changes) => aFailedGeneration(changes)),
      aFailedGeneration({ generationId: 'gen-2', userAgent: 'a\0\ud83d'.repeat(900) }),
      aFailedGeneration({
        generationId: 'gen-3',
        routing: '{"a":"\\u0000"}',
        trace: '{"a":"\\ud83d"}',
        model: 'm\0',
      }),
    );
    equal(await count('failed_generations'), 2);
    equal((await ask('gen-2'))?.userAgent.length, 341);
    const { routing, trace, model } = (await ask('gen-3')) ?? {};
    deepEqual([routing, trace, model], ['', '', 'm']);
  });

  test('is forgotten after a week, when others are told', async () => {
    const { ask, client, database } = await told(aFailedGeneration());
    await database.query({
      text: `UPDATE failed_generations SET told_at = now() - interval '8 days'`,
      values: [],
    });
    const generation = aFailedGeneration({ generationId: 'gen-g', completedAt: at });
    await client.reportFailures({ failures: [{ accountId, generation, turn: 1 }] });
    await rejects(ask('gen-f'), notFound);
    equal((await ask('gen-g'))?.completedAt, at);
  });

  test('is not told with more than 500 others', async () => {
    const { client } = await fixture();
    const failures = Array.from({ length: 501 }, () => ({
      accountId,
      generation: undefined,
      turn: 1,
    }));
    await rejects(client.reportFailures({ failures }), { code: 'invalid_request' });
  });
});
