import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import { aContext, type AccountWorld, accountWorld } from './testing/account-world.ts';

let world: AccountWorld;
beforeEach(async () => {
  world = await accountWorld({ postgresUrl: inject('postgresUrl') });
});
afterEach(() => world.stop());

const refusal = {
  action: 'api_key.create',
  resourceType: 'api_key',
  resourceId: '',
  status: 403,
  reason: 'management_key_required',
};
const record = (context = aContext(), changed: Partial<typeof refusal> = {}) =>
  world.audit.recordRefusal({ context, ...refusal, ...changed });
const stored = async (accountId = 'org_1') =>
  await Array.fromAsync(world.eventStore.read(`audit-${accountId}`));

describe('what was refused', () => {
  test('is kept with who asked, and from where', async () => {
    const context = { ...aContext(), clientIp: '203.0.113.7', userAgent: 'example/1' };
    deepEqual(await record(context), { isRecorded: true });
    const [event] = await stored();
    ok(event);
    equal(event.type, 'CommandRefused');
    const { refusedAt: _refusedAt, ...data } = event.data as Record<string, unknown>;
    deepEqual(data, {
      accountId: 'org_1',
      action: 'api_key.create',
      resource: { type: 'api_key', id: '' },
      status: 403,
      reason: 'management_key_required',
      leftOut: 0,
    });
    const { actor, clientIp, userAgent, requestId } = event.metadata as Record<string, unknown>;
    deepEqual(
      [actor, clientIp, userAgent, requestId],
      [{ type: 'management_key', id: context.actorId }, '203.0.113.7', 'example/1', 'req-1'],
    );
  });

  test('is kept once, however often it is told, and with its account alone', async () => {
    const context = aContext();
    await record(context);
    await record(context);
    await record(aContext('org_2'));
    equal((await stored()).length, 1);
    equal((await stored('org_2')).length, 1);
  });

  test('is kept from all who tell it at the same time, up to 60 in a minute', async () => {
    const answers = await Promise.all(Array.from({ length: 70 }, () => record()));
    equal(answers.filter(({ isRecorded }) => isRecorded).length, 60);
    equal((await stored()).length, 60);
  });

  test('is refused itself where it could hold a value', async () => {
    await rejects(record(aContext(), { reason: 'sk-sluice-v1-abc' }), { code: 'invalid_request' });
    deepEqual(await stored(), []);
  });
});
