import { equal } from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { doors } from '../../testing/doors.ts';
import {
  errorOf,
  type RoutingHarness,
  routingHarness,
  textOf,
} from '../../testing/routing-harness.ts';

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
});
afterAll(() => routing.stop());

const formats = [
  ...doors.map(({ dialect, asks }) => ({ dialect, body: asks('hi'), model: 'sim/echo' })),
  { dialect: 'embeddings', body: { input: 'hi' }, model: 'sim/embedding' } as const,
  {
    dialect: 'rerank',
    body: { query: 'hi', documents: ['hi', 'ho'] },
    model: 'sim/rerank',
  } as const,
  {
    dialect: 'count-tokens',
    body: { messages: [{ role: 'user', content: 'hi' }] },
    model: 'sim/echo',
  } as const,
];
const suffixes = ['bogus', 'bogus:nitro', 'nitro:bogus', 'NITRO', 'nitro ', '', 'toString'];

test.each(formats.flatMap((format) => suffixes.map((suffix) => ({ ...format, suffix }))))(
  'a model with the suffix ":$suffix" is refused by $dialect, with its whole name',
  async ({ dialect, body, model, suffix }) => {
    const name = `${model}:${suffix}`;
    const reply = await routing.call({ ...body, model: name }, { dialect });
    equal(reply.status, 400, await textOf(reply));
    const { message } = await errorOf(reply);
    equal(message.includes(`${model}:`), true, message);
  },
);

test.each(formats)('a suffix that the grammar has is served by $dialect', async (format) => {
  const { dialect, body, model } = format;
  const reply = await routing.call({ ...body, model: `${model}:nitro` }, { dialect });
  equal(reply.status, 200, await textOf(reply));
});

const listing = formats.filter(({ dialect }) => dialect !== 'embeddings' && dialect !== 'rerank');

test.each(listing.flatMap((format) => suffixes.map((suffix) => ({ ...format, suffix }))))(
  'a model with the suffix ":$suffix" in the list is refused by $dialect, beside one that exists',
  async ({ dialect, body, model, suffix }) => {
    const name = `${model}:${suffix}`;
    for (const named of [{ model, models: [name] }, { models: [model, name] }]) {
      const reply = await routing.call({ ...body, ...named }, { dialect });
      equal(reply.status, 400, await textOf(reply));
      const { message } = await errorOf(reply);
      equal(message.includes(`${model}:`), true, message);
    }
  },
);

test('a fallback of Anthropic with an unknown suffix is refused', async () => {
  const fallbacks = [{ model: 'sim/echo:bogus' }];
  const body = { model: 'sim/echo', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] };
  const reply = await routing.call({ ...body, fallbacks }, { dialect: 'messages' });
  equal(reply.status, 400, await textOf(reply));
});

test.each(listing)(
  'a variant that $dialect could have is skipped beside a model',
  async (format) => {
    const { dialect, body, model } = format;
    const models = [model, `${model}:extended`];
    equal((await routing.call({ ...body, models }, { dialect })).status, 200);
  },
);
