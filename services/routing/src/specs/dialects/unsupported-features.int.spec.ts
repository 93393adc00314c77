import { equal, ok } from 'node:assert/strict';
import { subjects } from '@sluice/bus';
import { eventually } from '@sluice/patience';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  type CallOptions,
  type RoutingHarness,
  routingHarness,
  somebody,
  textOf,
} from '../../testing/routing-harness.ts';

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
  routing.policies.unsupportedFeatures.set('strict', 'strict').set('lenient', 'lenient');
});
afterAll(() => routing.stop());

const ofAccount = (accountId: string) => ({ ...somebody, accountId });
const messages = [{ role: 'user', content: 'x' }];
const schema = { type: 'object' };
/** No endpoint here has it. */
const search = { type: 'code_execution_20250825' };
const ofOpenAI = { type: 'function', function: { name: 'weather', parameters: schema } };
const ofAnthropic = [
  { type: 'code_execution_20250522', name: 'code_execution' },
  { name: 'weather', input_schema: schema },
];
const functionTool = { type: 'function', name: 'weather', parameters: schema };

const thoughtless = { model: 'sim/reasoning', thinking: { type: 'disabled' } };

type Door = NonNullable<CallOptions['dialect']>;

/** Requests with a feature that nothing serves, and the place that a refusal names. */
const requests: readonly [string, Door, object, string][] = [
  ['a hosted tool', 'responses', { input: 'x', tools: [search, functionTool] }, 'tools[0].type'],
  ['an unknown word', 'responses', { input: 'x', include: ['everything'] }, 'include[0]'],
  ['a hosted tool', 'chat-completions', { messages, tools: [search, ofOpenAI] }, 'tools[0].type'],
  ['a hosted tool', 'messages', { messages, max_tokens: 100, tools: ofAnthropic }, 'tools[0].type'],
  ['no thoughts', 'messages', { ...thoughtless, messages, max_tokens: 2_000 }, 'thinking.type'],
  ['a hosted tool', 'count-tokens', { messages, tools: ofAnthropic }, 'tools[0].type'],
];

describe.each(requests)('the mode of an account for %s of %s', (_, dialect, fields, place) => {
  const body = { model: 'sim/echo', ...fields };
  const call = (accountId: string, more: object = {}, client?: CallOptions['client']) =>
    routing.call(
      { ...body, ...more },
      { dialect, principal: ofAccount(accountId), ...(client && { client }) },
    );
  const statusOf = async (...sent: Parameters<typeof call>) => (await call(...sent)).status;
  const lenient = { unsupported_features: 'lenient' };
  const strict = { unsupported_features: 'strict' };

  test('holds for its requests, and for no other account’s', async () => {
    const refused = await call('strict');
    equal(refused.status, 400);
    const text = await textOf(refused);
    ok(text.includes(place), text);
    for (const other of ['lenient', 'another']) equal(await statusOf(other), 200, other);
  });

  test('stands behind the word of the headers, and that behind the word of the body', async () => {
    equal(await statusOf('strict', {}, { unsupportedFeatures: 'lenient' }), 200);
    equal(await statusOf('lenient', {}, { unsupportedFeatures: 'strict' }), 400);
    equal(await statusOf('strict', lenient), 200);
    equal(await statusOf('lenient', strict), 400);
    equal(await statusOf('strict', lenient, { unsupportedFeatures: 'strict' }), 200);
    equal(await statusOf('lenient', strict, { unsupportedFeatures: 'lenient' }), 400);
  });
});

test('a changed mode is seen by the notice of it, and is no question of a request', async () => {
  const principal = ofAccount('changing');
  const body = { model: 'sim/echo', input: 'x', include: ['everything'] };
  const statusOf = async () => (await routing.call(body, { principal })).status;
  const notice = subjects.guardrailsChanged('changing');
  equal(await statusOf(), 200);
  const asked = routing.policies.timesAsked;
  for (const _ of [1, 2, 3]) equal(await statusOf(), 200);
  equal(routing.policies.timesAsked, asked);
  for (const [mode, wanted] of [
    ['strict', 400],
    ['lenient', 200],
  ] as const) {
    routing.policies.unsupportedFeatures.set('changing', mode);
    await routing.bus.publishNotice(notice, { accountId: 'changing' });
    await eventually(async () => equal(await statusOf(), wanted));
  }
});
