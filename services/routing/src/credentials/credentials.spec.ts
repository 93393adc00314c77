import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { inspect } from 'node:util';
import { Fault } from '@sluice/errors';
import { describe, test } from 'vitest';
import { inMemoryCredentials } from '../testing/in-memory-credentials.ts';
import { createCredentials } from './credentials.ts';

const question = { accountId: 'account', workspaceId: 'workspace' };

function setUp() {
  let nowMs = 1_000_000;
  let hears = true;
  const service = inMemoryCredentials();
  service.kept.set('c1', { provider: 'openai', secret: 'sk-canary' });
  const known = createCredentials({
    calls: service,
    unsubscribedMs: () => (hears ? 0 : Infinity),
    nowMs: () => nowMs,
  });
  known.subscribedAnew();
  const only = async () => {
    const [credential] = await known.find(question);
    ok(credential, 'there is no credential');
    return credential;
  };
  const secret = async () => (await known.secretOf('account', await only())).reveal();
  return {
    service,
    known,
    only,
    secret,
    pass: (ms: number) => void (nowMs += ms),
    stopReceiving: () => void (hears = false),
  };
}

describe('cached credentials', () => {
  test('are fetched once, and a secret at its first call', async () => {
    const { service, only, secret } = setUp();
    await only();
    deepEqual(service.asked, ['list']);
    for (let number = 0; number < 3; number++) equal(await secret(), 'sk-canary');
    deepEqual(service.asked, ['list', 'c1']);
  });

  test('are fetched again after a change, with the secret', async () => {
    const { service, known, secret } = setUp();
    await secret();
    service.kept.set('c1', { provider: 'openai', secret: 'sk-next' });
    known.forget('another account');
    equal(await secret(), 'sk-canary');
    known.forget('account');
    equal(await secret(), 'sk-next');
  });

  test('are used for five seconds while the bus is away', async () => {
    const { service, known, only, secret, pass, stopReceiving } = setUp();
    await secret();
    const credential = await only();
    stopReceiving();
    service.kept.delete('c1');
    pass(4_999);
    deepEqual(await known.find(question), [credential]);
    pass(1);
    deepEqual(await known.find(question), []);
    await rejects(async () => known.secretOf('account', credential), Fault);
  });

  test('hide secrets when printed, and drop old secrets from memory', async () => {
    const { service, known, only, secret, pass } = setUp();
    await secret();
    ok(!inspect(known, { depth: 20, showHidden: true }).includes('sk-canary'));
    ok(!JSON.stringify(await only()).includes('sk-canary'));
    pass(50_000);
    known.sweep();
    await secret();
    equal(service.asked.filter((asked) => asked === 'c1').length, 2, 'it is young no more');
    pass(60_000);
    known.sweep();
    service.isUp = false;
    await rejects(secret(), Fault);
  });
});
