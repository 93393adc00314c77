import { ok } from 'node:assert/strict';
import { describe, onTestFinished, test } from 'vitest';
import type { Durability } from './pipeline/deps.ts';
import { eventsOf, routingHarness, type RoutingHarness } from './testing/routing-harness.ts';

const spoolDelayMs = 800;

async function harness(durability: Durability): Promise<RoutingHarness> {
  const routing = await routingHarness({ durability, spoolDelayMs });
  onTestFinished(() => routing.stop());
  return routing;
}

/** From the call to the first event with output, and to the end. */
async function times(routing: RoutingHarness) {
  const startedMs = performance.now();
  const reply = await routing.call({ model: 'sim/echo', input: 'hello', stream: true });
  const outputMs = performance.now() - startedMs;
  const events = await eventsOf(reply);
  const endMs = performance.now() - startedMs;
  ok(events.some(({ type }) => type === 'response.completed'));
  return { outputMs, endMs };
}

describe('on a disk that is slow', () => {
  test('strict waits for the intent before the upstream is called, and for the usage before the end', async () => {
    const { outputMs, endMs } = await times(await harness('strict'));
    ok(outputMs >= spoolDelayMs, `output after ${outputMs} ms`);
    ok(endMs >= 2 * spoolDelayMs, `the end after ${endMs} ms`);
  });

  test('fast does not wait for the intent, but for the usage before the end', async () => {
    const { outputMs, endMs } = await times(await harness('fast'));
    ok(outputMs < spoolDelayMs, `output after ${outputMs} ms`);
    ok(endMs >= spoolDelayMs, `the end after ${endMs} ms`);
  });
});
