import { deepEqual } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type RoutingHarness, routingHarness, textOf } from '../../testing/routing-harness.ts';

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
});
afterAll(() => routing.stop());

const warningOf = async (body: object) => {
  const reply = await routing.call({ model: 'sim/echo', input: 'x', ...body });
  await textOf(reply);
  return [reply.status, reply.headers['x-service-warnings']];
};
const misspelt = { max_ouput_tokens: 5 };
const warning = 'unknown field max_ouput_tokens (did you mean max_output_tokens?)';

describe('a misspelt field', () => {
  test.each([
    ['a whole answer', {}, 200],
    ['a stream', { stream: true }, 200],
  ])('is accepted and named in the header of %s', async (_, body, status) => {
    deepEqual(await warningOf({ ...misspelt, ...body }), [status, warning]);
  });

  test('is not there where all is known', async () => {
    deepEqual(await warningOf({ max_output_tokens: 5, user: 'somebody' }), [200, undefined]);
  });
});

describe('a word that no header takes', () => {
  const f = { type: 'function', name: 'f' };
  test.each<[string, object]>([
    ['a kind of tool', { tools: [{ type: 'a\r\nb: ü' }, f] }],
    ['a word of include', { include: ['a\r\nb: ü'] }],
    ['a kind of item', { input: [{ type: 'a\r\nb: ü', text: 'x' }] }],
    ['a long word', { include: ['x'.repeat(100_000)] }],
  ])('is refused as %s', async (_what, body) => {
    deepEqual(await warningOf(body), [400, undefined]);
  });

  test('is told as a field in characters that a header takes', async () => {
    deepEqual(await warningOf({ 'a\r\nb: ü': 1 }), [200, 'unknown field a??b???']);
  });
});
