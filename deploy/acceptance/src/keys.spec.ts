import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { beforeAll, describe, test } from 'vitest';
import { eventually, json, list, manage, text } from './http.ts';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';

let sluice: Running;
beforeAll(async () => {
  sluice = await sharedInstance();
});

const ask = async (key: string) =>
  (await json(sluice, '/responses', { key, body: { model: 'sim/echo', input: 'x' } })).status;

describe('a key', () => {
  test('is shown once, works at once and is listed first', async () => {
    const body = { name: 'team a', limit: 12.5, limit_reset: 'monthly' };
    const made = await manage(sluice, '/keys', { body });
    equal(made.status, 201);
    const secret = text(made.body['key']);
    match(secret, /^sk-sluice-v1-[0-9A-Za-z]{49}$/);
    equal(await ask(secret), 200);
    const hash = createHash('sha256').update(secret).digest('hex');
    const { data } = (await manage(sluice, `/keys/${hash}`)).body;
    equal(data?.['hash'], hash);
    equal(data?.['name'], 'team a');
    deepEqual([data?.['limit'], data?.['limit_reset']], [12.5, 'monthly']);
    equal(data?.['disabled'], false);
    equal(data?.['include_byok_in_limit'], false);
    equal(data?.['workspace_id'], sluice.bootstrap.workspace_id);
    ok(!JSON.stringify(data).includes(secret));
    const list = (await manage(sluice, '/keys')).body['data'];
    equal(list?.[0]?.['hash'], hash);
    ok(!JSON.stringify(list).includes(sluice.bootstrap.management_key.slice(13, 20)));
  });

  test('is made once for the same Idempotency-Key', async () => {
    const call = { body: { name: 'once' }, headers: { 'idempotency-key': 'abc' } };
    const before = list((await manage(sluice, '/keys')).body['data']);
    const first = await manage(sluice, '/keys', call);
    const again = await manage(sluice, '/keys', call);
    deepEqual([first.status, again.status, again.body], [201, 201, first.body]);
    const other = await manage(sluice, '/keys', { ...call, body: { name: 'another' } });
    equal(other.status, 422);
    const after = list((await manage(sluice, '/keys')).body['data']);
    equal(after.length, before.length + 1);
    equal(await ask(text(again.body['key'])), 200);
  });

  test('is made once, however many ask at the same time under one Idempotency-Key', async () => {
    const call = { body: { name: 'at once' }, headers: { 'idempotency-key': 'at once' } };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => manage(sluice, '/keys', call)),
    );
    const secrets = answers.filter(({ status }) => status === 201).map(({ body }) => body['key']);
    ok(secrets.length >= 1);
    equal(new Set(secrets).size, 1);
    for (const { status, headers } of answers)
      if (status !== 201) deepEqual([status, headers.get('retry-after')], [409, '1']);
    const made = list((await manage(sluice, '/keys')).body['data']);
    equal(made.filter((key) => text(key['name']) === 'at once').length, 1);
  });

  test('with a name that cannot be kept is refused, and the others go on', async () => {
    for (const name of ['a\0b', 'a\u001bb', 'a\ud83db'])
      equal((await manage(sluice, '/keys', { body: { name } })).status, 400, JSON.stringify(name));
    const made = await manage(sluice, '/keys', { body: { name: 'Üretim 🚀' } });
    equal((await manage(sluice, '/keys')).body['data']?.[0]?.['name'], 'Üretim 🚀');
    const path = `/keys/${text(made.body['data']?.['hash'])}`;
    const rename = { method: 'PATCH', body: { name: 'a\0b' } };
    equal((await manage(sluice, path, rename)).status, 400);
    equal((await manage(sluice, path)).body['data']?.['name'], 'Üretim 🚀');
    equal((await fetch(`${sluice.adminUrl}/readyz`)).status, 200);
  });

  test('that is disabled is refused within a second, and works again when enabled', async () => {
    const made = await manage(sluice, '/keys', { body: { name: 'to be disabled' } });
    const [secret, hash] = [text(made.body['key']), text(made.body['data']?.['hash'])];
    equal(await ask(secret), 200);
    const off = { method: 'PATCH', body: { disabled: true } };
    equal((await manage(sluice, `/keys/${hash}`, off)).body['data']?.['disabled'], true);
    await eventually(
      () => ask(secret),
      (status) => status === 401,
    );
    const on = { method: 'PATCH', body: { disabled: false, name: 'enabled' } };
    equal((await manage(sluice, `/keys/${hash}`, on)).body['data']?.['name'], 'enabled');
    await eventually(
      () => ask(secret),
      (status) => status === 200,
    );
  });

  test('knows itself', async () => {
    const { status, body } = await json(sluice, '/key');
    equal(status, 200);
    const { data } = body;
    deepEqual(
      [
        data?.['is_management_key'],
        data?.['limit'],
        data?.['limit_remaining'],
        data?.['workspace_id'],
      ],
      [false, null, null, sluice.bootstrap.workspace_id],
    );
    equal(data?.['organization_id'], sluice.bootstrap.organization_id);
    match(sluice.bootstrap.organization_id, /^org_/);
    match(text(data?.['creator_user_id']), /^user_/);
    const management = (await manage(sluice, '/key')).body['data'];
    equal(management?.['is_management_key'], true);
  });
});

describe('what a key used', () => {
  test('is on the key, in its windows, in its remainder and in the credits', async () => {
    const body = { name: 'counted', limit: 1, limit_reset: 'daily' };
    const made = await manage(sluice, '/keys', { body });
    const [secret, hash] = [text(made.body['key']), text(made.body['data']?.['hash'])];
    const before = (await manage(sluice, '/credits')).body['data'];
    let costNanoUsd = 0;
    for (const input of ['one', 'two two', 'three three three']) {
      const answer = await json(sluice, '/responses', {
        key: secret,
        body: { model: 'sim/echo', input },
      });
      costNanoUsd += Math.round(Number(answer.body['usage']?.['cost']) * 1e9);
    }
    const used = await eventually(
      async () => (await manage(sluice, `/keys/${hash}`)).body['data'],
      (data) => Math.round(Number(data?.['usage']) * 1e9) === costNanoUsd,
    );
    for (const window of ['usage_daily', 'usage_weekly', 'usage_monthly'])
      equal(Math.round(Number(used?.[window]) * 1e9), costNanoUsd, window);
    equal(used?.['byok_usage'], 0);
    equal(Math.round((1 - Number(used?.['limit_remaining'])) * 1e9), costNanoUsd);
    const after = (await manage(sluice, '/credits')).body['data'];
    equal(after?.['total_credits'], before?.['total_credits']);
    ok(
      Math.round((Number(after?.['total_usage']) - Number(before?.['total_usage'])) * 1e9) >=
        costNanoUsd,
    );
  });
});
