import { deepEqual, equal } from 'node:assert/strict';
import type { LogFields, Logger } from '@sluice/logging';
import { test } from 'vitest';
import { routingHarness } from '../testing/routing-harness.ts';

test('what routing refuses while it stops has its reason in the answer, the log and a metric', async () => {
  const warned: LogFields[] = [];
  const silent = () => {};
  const logger: Logger = {
    debug: silent,
    info: silent,
    error: silent,
    warn: (_message, fields = {}) => void warned.push(fields),
  };
  const routing = await routingHarness({ logger });
  try {
    await routing.service.stop();
    const { status, headers } = await routing.call({ model: 'sim/echo', input: 'hello' });
    deepEqual([status, headers['retry-after']], [503, '1']);
    deepEqual(
      warned.filter(({ code }) => code === 'overloaded'),
      [{ code: 'overloaded', reason: 'stopping', count: 1 }],
    );
    const counted = /routing_refusals_total{[^}]*reason="stopping"[^}]*} (\d+)/.exec(
      await routing.metrics(),
    );
    equal(counted?.[1], '1');
  } finally {
    await routing.stop();
  }
});
