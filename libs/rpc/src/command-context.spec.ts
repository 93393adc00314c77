import { deepEqual, equal, throws } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { Fault } from '@sluice/errors';
import { commandContext } from './index.ts';

const now = new Date('2026-01-02T03:04:05.678Z');
const sent = {
  commandId: '0190a000-0000-7000-8000-000000000001',
  requestId: 'req-1',
  accountId: 'org_1',
  actorType: 'user',
  actorId: 'user_1',
  traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
};

describe('the context of a command', () => {
  test('is taken over, with our own time', () => {
    deepEqual(commandContext(sent, now), {
      commandId: sent.commandId,
      requestId: 'req-1',
      accountId: 'org_1',
      occurredAt: '2026-01-02T03:04:05.678Z',
      actor: { type: 'user', id: 'user_1' },
      traceparent: sent.traceparent,
    });
  });

  test('goes on without a trace context that is none', () => {
    const { traceparent } = commandContext({ ...sent, traceparent: 'x' }, now);
    equal(traceparent, undefined);
  });

  test('says where the request came from when that is known', () => {
    const from = { clientIp: '2001:db8::1', userAgent: 'curl/8.5.0' };
    const { clientIp, userAgent } = commandContext({ ...sent, ...from }, now);
    deepEqual({ clientIp, userAgent }, from);
    const wrong = { clientIp: 'here', userAgent: `curl\n${'x'.repeat(300)}` };
    deepEqual(commandContext({ ...sent, ...wrong }, now), commandContext(sent, now));
  });

  test.each([
    ['command_id', { ...sent, commandId: 'c' }],
    ['request_id', { ...sent, requestId: '' }],
    ['account_id', { ...sent, accountId: 'org.1' }],
    ['actor_id', { ...sent, actorId: 'a b' }],
    ['actor_type', { ...sent, actorType: 'robot' }],
  ])('is refused when its %s is none', (name, wrong) => {
    throws(
      () => commandContext(wrong, now),
      (error) =>
        error instanceof Fault &&
        error.code === 'invalid_request' &&
        JSON.stringify(error.metadata).includes(`"path":"context.${name}"`),
    );
  });

  test('is refused when there is none, with all issues', () => {
    throws(
      () => commandContext(undefined, now),
      (error) => error instanceof Fault && (error.metadata['issues'] as unknown[]).length === 5,
    );
  });
});
