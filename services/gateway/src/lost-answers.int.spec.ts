import { deepEqual, equal } from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { eventually } from '@sluice/patience';
import { KeyKind } from '@sluice/protos/sluice/key/v1/key';
import { onTestFinished, test } from 'vitest';
import { listeningGateway } from './testing/listening-gateway.ts';
import { organizationId } from './testing/gateway-world.ts';

test('a client that hangs up before the answer gets the same secret when it asks again', async () => {
  const issuing = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const { service, port, keys } = await listeningGateway({
    createResponse: () => Promise.reject(new Error('not asked here')),
    wrapKeys: (calls) => ({
      ...calls,
      async issueKey(sent) {
        const issued = await calls.issueKey(sent);
        issuing.resolve();
        await released.promise;
        return issued;
      },
    }),
  });
  onTestFinished(() => service.stop());
  const kind = KeyKind.KEY_KIND_MANAGEMENT;
  const { secret } = keys.add({ accountId: organizationId, kind });
  const headers = {
    authorization: `Bearer ${secret}`,
    'content-type': 'application/json',
    'idempotency-key': 'one',
  };
  const asked = httpRequest({ port, host: '127.0.0.1', path: '/v1/keys', method: 'POST', headers });
  asked.on('error', () => {});
  asked.end(JSON.stringify({ name: 'mine' }));
  await issuing.promise;
  asked.destroy();
  const closed = new Promise((resolve) => asked.once('close', resolve));
  await closed;
  released.resolve();
  const ask = async () => {
    const body = JSON.stringify({ name: 'mine' });
    const reply = await fetch(`http://127.0.0.1:${port}/v1/keys`, {
      method: 'POST',
      headers,
      body,
    });
    return { status: reply.status, text: await reply.text() };
  };
  let answer = await ask();
  await eventually(async () => {
    if (answer.status === 409) answer = await ask();
    equal(answer.status, 201);
  });
  const { key } = JSON.parse(answer.text) as { key: string };
  equal(key.startsWith('sk-sluice-v1-'), true);
  deepEqual(await ask(), answer);
  await eventually(() => equal(keys.keptSecrets(), 0));
});
