import { equal, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { errorOf, routingHarness, type RoutingHarness } from '../../testing/routing-harness.ts';

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
});
afterAll(() => routing.stop());

const messages = [{ role: 'user', content: 'hm' }];
const many = 900_000;

const doors = [
  {
    dialect: 'responses',
    route: '/responses',
    asks: { input: 'hm' },
    limit: 'max_output_tokens',
    budget: 'reasoning.max_tokens',
    thinks: { reasoning: { max_tokens: many } },
  },
  {
    dialect: 'chat-completions',
    route: '/chat/completions',
    asks: { messages },
    limit: 'max_completion_tokens',
    budget: 'reasoning.max_tokens',
    thinks: { reasoning: { max_tokens: many } },
  },
  {
    dialect: 'messages',
    route: '/messages',
    asks: { messages, max_tokens: 10, unsupported_features: 'strict' },
    limit: 'max_tokens',
  },
] as const;

describe.each(doors)('a late refusal speaks the language of $route', ({ dialect, ...door }) => {
  const refusal = async (fields: object) => {
    const reply = await routing.call({ ...door.asks, ...fields }, { dialect });
    return { status: reply.status, ...(await errorOf(reply)) };
  };

  test('of a model that answers otherwise', async () => {
    const { status, message } = await refusal({ model: 'sim/embedding' });
    equal(status, 400);
    ok(message.startsWith(`sim/embedding cannot be used with ${door.route}:`), message);
  });

  test('of an output limit that no endpoint gives', async () => {
    const { status, message } = await refusal({ model: 'sim/chat', [door.limit]: many });
    equal(status, 404);
    ok(message.includes(`gives so many output tokens: ${door.limit} is `), message);
  });

  test.runIf('budget' in door)('of thoughts without room', async () => {
    const thinks = 'thinks' in door ? door.thinks : {};
    const { status, message } = await refusal({ model: 'sim/messages', ...thinks });
    equal(status, 400);
    ok('budget' in door && message.includes(`${door.budget}: must be smaller`), message);
  });
});
