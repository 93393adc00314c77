import { deepEqual, equal, rejects } from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import { aContext, keyWorld, type KeyWorld } from '../testing/key-world.ts';

let world: KeyWorld;
beforeEach(async () => {
  world = await keyWorld({ postgresUrl: inject('postgresUrl') });
});
afterEach(() => world.stop());

const aSecret = () => randomBytes(32).toString('base64url');

describe('a key with a secret that was brought along', () => {
  test('is opened by that secret, which is answered and stored nowhere', async () => {
    const externalApiKey = aSecret();
    const { key, secret } = await world.issue({ externalUser: 'customer-7', externalApiKey });
    equal(secret, '');
    const hash = createHash('sha256').update(externalApiKey).digest('hex');
    deepEqual([key.hash, key.externalUser, key.source], [hash, 'customer-7', 'api']);
    deepEqual((await world.client.resolveKey({ hash, secret: externalApiKey })).key, key);
    const stored = await Array.fromAsync(world.eventStore.read(`apiKey-${hash}`));
    const rows = await world.database.query({ text: 'SELECT * FROM api_keys', values: [] });
    const text = JSON.stringify([stored, rows], (_name, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    equal(text.includes(externalApiKey), false);
  });

  test('is issued once: another command for the same secret is a wrong request', async () => {
    const externalApiKey = aSecret();
    const context = aContext();
    const first = await world.issue({ context, externalUser: 'a', externalApiKey });
    deepEqual(await world.issue({ context, externalUser: 'a', externalApiKey }), first);
    for (const accountId of ['org_1', 'org_2'])
      await rejects(
        world.client.issueKey({
          ...first.key,
          context: aContext({ accountId: 'org_1', actorId: accountId }),
          workspaceId: '',
          externalUser: 'b',
          externalApiKey,
        }),
        { code: 'invalid_request' },
      );
    await world.client.deleteKey({ context: aContext(), hash: first.key.hash });
    await rejects(world.issue({ externalUser: 'a', externalApiKey }), { code: 'invalid_request' });
  });

  test('is refused when the secret could be guessed', async () => {
    for (const externalApiKey of ['a'.repeat(40), 'short'])
      await rejects(world.issue({ externalUser: 'a', externalApiKey }), {
        code: 'invalid_request',
      });
  });
});
