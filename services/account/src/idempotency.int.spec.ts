import { deepEqual, equal, rejects } from 'node:assert/strict';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import { type AccountWorld, accountWorld } from './testing/account-world.ts';

let world: AccountWorld;
beforeEach(async () => {
  world = await accountWorld({ postgresUrl: inject('postgresUrl') });
});
afterEach(() => world.stop());

const request = { accountId: 'org_1', route: 'POST /v1/keys', idempotencyKey: 'order 66' };
const bodySha256 = 'a'.repeat(64);
const sealedAnswer = Buffer.from([0, 255, 1, 2, 3]);
const begin = async (changed: Partial<typeof request & { bodySha256: string }> = {}) => {
  const { outcome } = await world.idempotency.beginRequest({ ...request, bodySha256, ...changed });
  return outcome;
};
const complete = (attempt: number) =>
  world.idempotency.completeRequest({ ...request, attempt, status: 201, sealedAnswer });
const fresh = (attempt: number) => ({ $case: 'fresh', value: { attempt } });
const inProgress = { $case: 'inProgress', value: { retryAfterSeconds: 1 } };
const age = (seconds: number) =>
  world.database.query({
    text: `UPDATE idempotency_records SET begun_at = begun_at - make_interval(secs => $1)`,
    values: [seconds],
  });
const hourSeconds = 3_600;

describe('a request under an idempotency key', () => {
  test('is carried out by one of all that send it at the same time', async () => {
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => begin()));
    const first = outcomes.filter((outcome) => outcome?.$case === 'fresh');
    deepEqual(first, [fresh(1)]);
    equal(outcomes.filter((outcome) => outcome?.$case === 'inProgress').length, 49);
  });

  test('is answered as it was, byte by byte, also by another process', async () => {
    deepEqual(await begin(), fresh(1));
    equal((await complete(1)).isKept, true);
    const answered = await begin();
    deepEqual(answered?.$case, 'answered');
    deepEqual(answered?.$case === 'answered' && answered.value.status, 201);
    await world.restart();
    const again = await begin();
    deepEqual(again?.$case === 'answered' && Buffer.from(again.value.sealedAnswer), sealedAnswer);
  });

  test('with another body is told so, whether it was answered or not', async () => {
    await begin();
    const other = { bodySha256: 'b'.repeat(64) };
    deepEqual(await begin(other), { $case: 'mismatch', value: {} });
    await complete(1);
    deepEqual(await begin(other), { $case: 'mismatch', value: {} });
  });

  test('is another one for another account, route or key', async () => {
    await begin();
    deepEqual(await begin({ accountId: 'org_2' }), fresh(1));
    deepEqual(await begin({ route: 'POST /v1/workspaces' }), fresh(1));
    deepEqual(await begin({ idempotencyKey: 'order 67' }), fresh(1));
  });

  test('is begun anew when the process that carried it out has died, which then keeps nothing', async () => {
    await begin();
    await age(29);
    deepEqual(await begin(), inProgress);
    await age(2);
    deepEqual(await begin({ bodySha256: 'b'.repeat(64) }), { $case: 'mismatch', value: {} });
    deepEqual(await begin(), fresh(2));
    equal((await complete(1)).isKept, false);
    equal((await complete(2)).isKept, true);
    equal((await complete(2)).isKept, false);
  });

  test('that failed and may be done may be made again at once, with the same body only', async () => {
    await begin();
    await world.idempotency.abandonRequest({ ...request, attempt: 1, mayBeDone: true });
    const other = { bodySha256: 'b'.repeat(64) };
    deepEqual(await begin(other), { $case: 'mismatch', value: {} });
    deepEqual(await begin(), fresh(2));
    deepEqual(await begin(), inProgress);
    equal((await complete(1)).isKept, false);
    equal((await complete(2)).isKept, true);
  });

  test('that failed may be made again at once; one that was answered may not', async () => {
    await begin();
    await world.idempotency.abandonRequest({ ...request, attempt: 2, mayBeDone: false });
    deepEqual(await begin(), inProgress);
    await world.idempotency.abandonRequest({ ...request, attempt: 1, mayBeDone: false });
    deepEqual(await begin(), fresh(1));
    await complete(1);
    await world.idempotency.abandonRequest({ ...request, attempt: 1, mayBeDone: false });
    equal((await begin())?.$case, 'answered');
  });

  test('is forgotten after a day', async () => {
    await begin();
    await complete(1);
    await age(23 * hourSeconds);
    equal((await begin())?.$case, 'answered');
    await age(2 * hourSeconds);
    deepEqual(await begin({ idempotencyKey: 'another' }), fresh(1));
    const rows = await world.database.query({
      text: 'SELECT idempotency_key AS key FROM idempotency_records',
      values: [],
    });
    deepEqual(rows, [{ key: 'another' }]);
    deepEqual(await begin({ bodySha256: 'b'.repeat(64) }), fresh(1));
  });

  test('makes the oldest of an account give way where there are too many', async () => {
    await world.database.query({
      text: `INSERT INTO idempotency_records
               (account_id, route, idempotency_key, body_sha256, attempt, status, begun_at)
             SELECT account, 'POST /v1/keys', n, '', 1, 201, now() - make_interval(secs => n)
             FROM generate_series(1, 10000) AS n, unnest(ARRAY['org_1', 'org_2']) AS account`,
      values: [],
    });
    await begin();
    const rows = await world.database.query({
      text: `SELECT account_id, count(*)::int AS count, max(idempotency_key::int) AS oldest
             FROM idempotency_records WHERE idempotency_key <> 'order 66'
             GROUP BY account_id ORDER BY account_id`,
      values: [],
    });
    deepEqual(rows, [
      { account_id: 'org_1', count: 9_999, oldest: 9_999 },
      { account_id: 'org_2', count: 10_000, oldest: 10_000 },
    ]);
  });

  test.each([
    { accountId: 'org 1' },
    { route: 'keys' },
    { route: `POST /${'a'.repeat(1_013)}` },
    { idempotencyKey: '' },
    { idempotencyKey: 'a'.repeat(256) },
    { idempotencyKey: 'ä' },
    { bodySha256: 'A'.repeat(64) },
  ])('is refused when it is malformed: %o', (wrong) =>
    rejects(begin(wrong), { code: 'invalid_request' }),
  );

  test('keeps no answer that is too large', async () => {
    await begin();
    const answer = { ...request, attempt: 1, status: 201 };
    const large = Buffer.alloc(66 * 1024 + 1);
    await rejects(world.idempotency.completeRequest({ ...answer, sealedAnswer: large }), {
      code: 'invalid_request',
    });
    const largest = Buffer.alloc(66 * 1024);
    const { isKept } = await world.idempotency.completeRequest({
      ...answer,
      sealedAnswer: largest,
    });
    equal(isKept, true);
  });
});
