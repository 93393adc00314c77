import { deepEqual, equal, rejects } from 'node:assert/strict';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, test } from 'vitest';
import { open, seal } from './envelope.ts';
import { keyManagementContract } from './testing/key-management-contract.ts';
import { startTransitServer, type TransitServer } from './testing/transit-server.ts';
import { transitKeyManagement } from './transit-key-management.ts';

const token = 'a-vault-token';
let server: TransitServer;
beforeEach(async () => {
  server = await startTransitServer(token);
});
afterEach(() => server.stop());

const manage = (changed: { token?: string; keyName?: string } = {}) =>
  transitKeyManagement({ url: server.url, keyName: 'sluice', token, ...changed });
const owner = { accountId: 'org_1', recordId: 'credential-1' };
const secret = Buffer.from('sk-upstream-secret');

keyManagementContract(async () => ({
  keys: manage(),
  rotate: async () => server.rotate(),
  lose: async () => server.lose(),
}));

describe('a key management service', () => {
  test('is asked for data keys, never shown a secret', async () => {
    const envelope = await seal(manage(), owner, secret);
    await open(manage(), owner, envelope);
    deepEqual(server.asked, ['POST /v1/transit/encrypt/sluice', 'POST /v1/transit/decrypt/sluice']);
  });

  test('that refuses the token, or is not there, is unavailable', async () => {
    const keys = manage({ token: 'another' });
    await rejects(seal(keys, owner, secret), { code: 'unavailable' });
    await rejects(keys.newestVersion(), { code: 'unavailable' });
    await server.stop();
    await rejects(seal(manage(), owner, secret), { code: 'unavailable' });
    server = await startTransitServer(token);
  });

  test('without the key has lost it', async () => {
    await rejects(seal(manage({ keyName: 'another' }), owner, secret), { reason: 'key_lost' });
  });

  test.each([
    ['no JSON', '<html>'],
    ['nothing', ''],
    ['no data', '{"errors":[]}'],
    ['a text that is no ciphertext', '{"data":{"ciphertext":"sk-upstream-secret"}}'],
    ['far too much', `{"data":"${'x'.repeat(70_000)}"}`],
  ])('that answers %s is unavailable, and the answer is not repeated', async (_what, body) => {
    server.answerWith((response) => void response.writeHead(200).end(body));
    const error = await seal(manage(), owner, secret).catch((thrown: unknown) => thrown);
    equal((error as { code?: string }).code, 'unavailable');
    equal(inspect(error, { depth: 10 }).includes('sk-upstream'), false);
  });

  test('that sends elsewhere is not followed', async () => {
    server.answerWith(
      (response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
    );
    await rejects(seal(manage(), owner, secret), { code: 'unavailable' });
  });
});
