import { ok } from 'node:assert/strict';
import { describe, onTestFinished, test } from 'vitest';
import type { Durability } from './turn/deps.ts';
import { faultyUpstream } from './testing/faulty-upstream.ts';
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

  test('the first word waits for no usage, even where the end came with it', async () => {
    const upstream = await faultyUpstream();
    onTestFinished(() => upstream.stop());
    const routing = await routingHarness({
      durability: 'fast',
      spoolDelayMs,
      catalogFile: () => catalogFile(upstream.url),
    });
    onTestFinished(() => routing.stop());
    const startedMs = performance.now();
    const { body } = await routing.call({ model: 'one/model', input: 'hello', stream: true });
    ok(!(body instanceof Uint8Array));
    let text = '';
    let wordMs = Infinity;
    for await (const bytes of body) {
      text += Buffer.from(bytes).toString();
      if (text.includes('"delta":"Hello"'))
        wordMs = Math.min(wordMs, performance.now() - startedMs);
    }
    const endMs = performance.now() - startedMs;
    ok(text.includes('event: response.completed'));
    ok(wordMs < spoolDelayMs, `the first word after ${wordMs} ms`);
    ok(endMs >= spoolDelayMs, `the end after ${endMs} ms`);
  });
});

const catalogFile = (url: string) =>
  JSON.stringify({
    providers: [{ slug: 'one', name: 'One', dialect: 'openai-chat', base_url: url }],
    models: [
      {
        id: 'one/model',
        provider: 'one',
        upstream_model: 'm',
        context_length: 10_000,
        max_output_tokens: 1_000,
        pricing: { prompt: '0.000001', completion: '0.000001' },
      },
    ],
  });
