import { deepEqual, equal, match } from 'node:assert/strict';
import { Fault } from '@sluice/errors';
import { eventually } from '@sluice/patience';
import { describe, test } from 'vitest';
import { gatewayWorld, type TestReply, type WorldOptions } from '../../testing/gateway-world.ts';

async function world(options: WorldOptions = {}) {
  const made = await gatewayWorld(options);
  const { secret } = made.management();
  const create = (key: string, body: object = { name: 'mine' }, sender = secret) =>
    made.request('POST /v1/keys', { key: sender, body, headers: { 'idempotency-key': key } });
  const count = async () => {
    const { json } = await made.request('GET /v1/keys', { key: secret });
    return (json['data'] as unknown[]).length;
  };
  return { ...made, secret, create, count };
}
const reasonOf = ({ json }: TestReply) =>
  (json['error'] as { metadata: { reason?: string } } | undefined)?.metadata.reason;

describe('a POST with an Idempotency-Key', () => {
  test('is answered as it was when it is sent again, with the secret, and says so', async () => {
    const { create, count } = await world();
    const first = await create('one');
    const again = await create('one', { name: 'mine' });
    deepEqual([first.status, again.status, again.text], [201, 201, first.text]);
    match(first.text, /sk-sluice-v1-/);
    equal(first.headers['idempotent-replayed'], undefined);
    equal(again.headers['idempotent-replayed'], 'true');
    equal(again.headers['content-type'], first.headers['content-type']);
    equal(await count(), 1);
  });

  test('is kept without the secret that it answers with', async () => {
    const { create, idempotency } = await world();
    const { text } = await create('one');
    const { key: secret } = JSON.parse(text) as { key: string };
    match(secret, /^sk-sluice-v1-\w{49}$/);
    equal(idempotency.kept().length > 0, true);
    equal(idempotency.kept().includes(secret), false);
    equal(idempotency.kept().includes('data'), false);
  });

  test('is the same with its fields in another order, and not with another body', async () => {
    const { create } = await world();
    const first = await create('one', { name: 'mine', limit: 1 });
    equal((await create('one', { limit: 1, name: 'mine' })).text, first.text);
    for (const body of [
      { name: 'mine', limit: 2 },
      { name: 'mine' },
      { name: 'other', limit: 1 },
    ]) {
      const refused = await create('one', body);
      deepEqual([refused.status, reasonOf(refused)], [422, 'idempotency_key_reused']);
    }
  });

  test('is another one under another key, of another account, and without one', async () => {
    const { create, count, management, request, secret } = await world();
    await create('one');
    await create('two');
    const other = management({ accountId: 'user_2' }).secret;
    equal((await create('one', { name: 'mine' }, other)).headers['idempotent-replayed'], undefined);
    const body = { name: 'mine' };
    await request('POST /v1/keys', { key: secret, body });
    await request('POST /v1/keys', { key: secret, body });
    equal(await count(), 4);
  });

  test('shows its answer to the key that asked, and to no other of the account', async () => {
    const { create, management } = await world();
    await create('one');
    const refused = await create('one', { name: 'mine' }, management().secret);
    deepEqual([refused.status, reasonOf(refused)], [422, 'idempotency_key_reused']);
    equal(refused.text.includes('sk-sluice'), false);
  });

  test('gets Retry-After while it is under way, and is answered then', async () => {
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let entered: () => void = () => {};
    const isIn = new Promise<void>((resolve) => {
      entered = resolve;
    });
    const { create, count } = await world({
      wrapKeys: (calls) => ({
        ...calls,
        async issueKey(sent) {
          entered();
          await held;
          return calls.issueKey(sent);
        },
      }),
    });
    const first = create('one');
    await isIn;
    const second = await create('one');
    deepEqual([second.status, reasonOf(second)], [409, 'idempotency_key_in_use']);
    equal(second.headers['retry-after'], '1');
    release();
    equal((await create('one')).text, (await first).text);
    equal(await count(), 1);
  });

  test('that failed for a while is carried out when it is sent again', async () => {
    let failures = 1;
    const { create } = await world({
      wrapKeys: (calls) => ({
        ...calls,
        issueKey(sent) {
          if (failures-- > 0) throw new Fault('unavailable', { retryAfterSeconds: 1 });
          return calls.issueKey(sent);
        },
      }),
    });
    equal((await create('one')).status, 503);
    equal((await create('one')).status, 201);
  });

  test('that was refused for good is refused the same way again', async () => {
    let asked = 0;
    const { create } = await world({
      wrapKeys: (calls) => ({
        ...calls,
        issueKey() {
          asked++;
          throw new Fault('conflict', { message: 'there are too many' });
        },
      }),
    });
    const first = await create('one');
    equal(first.status, 409);
    equal((await create('one')).text, first.text);
    equal(asked, 1);
  });

  test('whose answer was lost with its process gives the same command', async () => {
    const ids: (string | undefined)[] = [];
    let loses = true;
    const { create, idempotency } = await world({
      wrapKeys: (calls) => ({
        ...calls,
        issueKey(sent) {
          ids.push(sent.context?.commandId);
          return calls.issueKey(sent);
        },
      }),
    });
    const { calls } = idempotency;
    const complete = calls.completeRequest;
    Object.assign(calls, {
      completeRequest: async (request: Parameters<typeof complete>[0]) => {
        if (loses) throw new Fault('unavailable');
        return complete(request);
      },
    });
    const made = await create('one');
    equal(made.status, 201);
    loses = false;
    equal((await create('one')).status, 409);
    idempotency.forgetAttempts();
    const again = await create('one');
    equal(ids.length, 2);
    equal(ids[0], ids[1]);
    // The secret of the key is gone. The answer names the key, and no second one is made.
    equal(again.status, 409);
    const { hash } = made.json['data'] as { hash: string };
    deepEqual((again.json['error'] as { metadata: object }).metadata, {
      error_type: 'invalid_request',
      hash,
    });
  });

  test('whose key was issued after the deadline answers with its secret when it is sent again', async () => {
    let isLate = true;
    const { create, count, keys } = await world({
      wrapKeys: (calls) => ({
        ...calls,
        async issueKey(sent) {
          const issued = await calls.issueKey(sent);
          if (isLate) throw new Fault('timeout');
          return issued;
        },
      }),
    });
    equal((await create('one')).status, 408);
    isLate = false;
    const other = await create('one', { name: 'other' });
    deepEqual([other.status, reasonOf(other)], [422, 'idempotency_key_reused']);
    equal(keys.keptSecrets(), 1);
    const again = await create('one');
    deepEqual([again.status, await count()], [201, 1]);
    match(again.text, /sk-sluice-v1-/);
    await eventually(() => equal(keys.keptSecrets(), 0));
    equal((await create('one')).text, again.text);
  });

  test('whose gateway died before it answered gives the same secret when it is sent again', async () => {
    let dies = true;
    const { create, count, keys, idempotency } = await world({
      wrapKeys: (calls) => ({
        ...calls,
        async issueKey(sent) {
          const issued = await calls.issueKey(sent);
          if (dies) await new Promise(() => {});
          return issued;
        },
      }),
    });
    void create('one');
    await eventually(() => equal(keys.keptSecrets(), 1));
    dies = false;
    equal((await create('one')).status, 409);
    idempotency.forgetAttempts();
    const again = await create('one');
    deepEqual([again.status, await count()], [201, 1]);
    await eventually(() => equal(keys.keptSecrets(), 0));
  });

  test('is refused when its key is none', async () => {
    const { create, idempotency } = await world();
    for (const key of ['', 'x'.repeat(256), 'é']) equal((await create(key)).status, 400, key);
    equal(idempotency.beginnings(), 0);
  });

  test('is not begun when it is refused before', async () => {
    const { create, request, regular, idempotency } = await world();
    equal((await create('one', { name: 1 })).status, 400);
    const headers = { 'idempotency-key': 'one' };
    const body = { name: 'mine' };
    equal((await request('POST /v1/keys', { key: regular().secret, body, headers })).status, 403);
    equal(idempotency.beginnings(), 0);
  });
});

describe('without the header, or where nothing is posted', () => {
  test('nobody is asked', async () => {
    const { request, secret, regular, idempotency } = await world();
    await request('POST /v1/keys', { key: secret, body: { name: 'mine' } });
    const headers = { 'idempotency-key': 'one' };
    await request('GET /v1/keys', { key: secret, headers });
    await request('POST /v1/responses', { key: regular().secret, body: { input: 'x' }, headers });
    equal(idempotency.beginnings(), 0);
  });
});
