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
