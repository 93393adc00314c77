import { deepEqual, equal, ok } from 'node:assert/strict';
import { setImmediate as tick } from 'node:timers/promises';
import { isStream } from '@sluice/inference-port';
import { describe, onTestFinished, test } from 'vitest';
import type { Durability } from '../../turn/deps.ts';
import { faultyUpstream } from '../../testing/faulty-upstream.ts';
import { eventually, routingHarness } from '../../testing/routing-harness.ts';

/** More ticks than a request takes that waits for nothing. */
const ticks = 500;

/** A disk that is done with a write of this type when the test says so. */
async function slowDisk(durability: Durability, slow: 'intent' | 'final') {
  const written: string[] = [];
  const done = Promise.withResolvers<void>();
  const upstream = await faultyUpstream();
  onTestFinished(() => upstream.stop());
  const routing = await routingHarness({
    durability,
    catalogFile: () => catalogFile(upstream.url),
    afterWrite: async (type) => {
      written.push(type);
      if (type === slow) await done.promise;
    },
  });
  onTestFinished(() => routing.stop());
  onTestFinished(() => done.resolve());
  const call = () => routing.call({ model: 'one/model', input: 'hello', stream: true });
  return { upstream, written, call, release: () => done.resolve() };
}

/** Reads an answer in the background: the text that has come, and whether it has ended. */
function reading(body: AsyncIterable<Uint8Array>) {
  const seen = { text: '', hasEnded: false };
  const read = async () => {
    for await (const bytes of body) seen.text += Buffer.from(bytes).toString();
    seen.hasEnded = true;
  };
  return { seen, whole: read() };
}

const patience = async () => {
  for (let count = 0; count < ticks; count += 1) await tick();
};

describe('on a disk that is slow', () => {
  test('strict calls the upstream when the intent is on disk', async () => {
    const { upstream, written, call, release } = await slowDisk('strict', 'intent');
    const answer = call();
    await eventually(() => written.includes('intent'), 'the intent');
    await patience();
    deepEqual(upstream.arrivals, []);
    release();
    const { body } = await answer;
    ok(isStream(body));
    const { seen, whole } = reading(body);
    await whole;
    ok(seen.text.includes('event: response.completed'));
    equal(upstream.arrivals.length, 1);
  });

  test('fast calls the upstream at once', async () => {
    const { upstream, call, release } = await slowDisk('fast', 'intent');
    const { body } = await call();
    ok(isStream(body));
    const { seen, whole } = reading(body);
    await eventually(() => seen.text.includes('"delta":"Hello"'), 'the first word');
    equal(upstream.arrivals.length, 1);
    release();
    await whole;
  });

  test.each<Durability>(['strict', 'fast'])(
    '%s ends when the usage is on disk, and the words do not wait for that',
    async (durability) => {
      const { written, call, release } = await slowDisk(durability, 'final');
      const { body } = await call();
      ok(isStream(body));
      const { seen, whole } = reading(body);
      await eventually(() => seen.text.includes('"delta":"Hello"'), 'the first word');
      await eventually(() => written.includes('final'), 'the usage');
      await patience();
      ok(!seen.hasEnded && !seen.text.includes('event: response.completed'));
      release();
      await whole;
      ok(seen.text.includes('event: response.completed'));
    },
  );
});

test.each<Durability>(['strict', 'fast'])(
  'a loop of tools waits for its usage at its end, and not between its turns: %s',
  async (durability) => {
    const done = Promise.withResolvers<void>();
    const written: string[] = [];
    const routing = await routingHarness({
      durability,
      afterWrite: async (type) => {
        written.push(type);
        // The facts of both turns, and of the call between them.
        if (type === 'final') await done.promise;
      },
    });
    onTestFinished(() => routing.stop());
    onTestFinished(() => done.resolve());
    const input = 'agent: call service_datetime then say finished';
    const tools = [{ type: 'service:datetime' }];
    const { body } = await routing.call({ model: 'sim/echo', input, tools, stream: true });
    ok(isStream(body));
    const { seen, whole } = reading(body);
    await eventually(() => seen.text.includes('"delta":"finished"'), 'the second turn');
    await eventually(() => written.filter((type) => type === 'final').length === 3, 'the usage');
    await patience();
    ok(!seen.hasEnded && !seen.text.includes('event: response.completed'));
    done.resolve();
    await whole;
    ok(seen.text.includes('event: response.completed'));
  },
);

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
