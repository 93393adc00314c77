import { deepEqual } from 'node:assert/strict';
import type { CommandContext } from '@sluice/protos/sluice/context/v1/context';
import { describe, test } from 'vitest';
import { gatewayWorld } from '../testing/gateway-world.ts';

describe('a command', () => {
  test('says who gave it, in which request, from where and with which client', async () => {
    const contexts: (CommandContext | undefined)[] = [];
    const { request, management } = await gatewayWorld({
      wrapKeys: (calls) => ({
        ...calls,
        issueKey(sent) {
          contexts.push(sent.context);
          return calls.issueKey(sent);
        },
      }),
    });
    const { secret, key } = management();
    const reply = await request('POST /v1/keys', {
      key: secret,
      body: { name: 'mine' },
      address: '203.0.113.7',
      headers: { 'user-agent': `tool/1.0 \u00ff ${'x'.repeat(500)}` },
    });
    const { commandId: _, traceparent: __, ...context } = contexts[0] ?? {};
    deepEqual(context, {
      requestId: reply.headers['x-request-id'],
      accountId: 'org_1',
      actorType: 'management_key',
      actorId: key.hash,
      clientIp: '203.0.113.7',
      userAgent: `tool/1.0 ? ${'x'.repeat(500)}`.slice(0, 256),
    });
  });
});
