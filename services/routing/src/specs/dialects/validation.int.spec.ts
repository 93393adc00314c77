import { equal, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  errorOf,
  routingHarness,
  textOf,
  type RoutingHarness,
} from '../../testing/routing-harness.ts';

// The checklist of what a body of `POST /responses` may not be: each of its rows, through the whole service.

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
});
afterAll(() => routing.stop());

const body = (fields: object): object => ({ model: 'sim/echo', input: 'hi', ...fields });
const many = <Made>(length: number, make: (index: number) => Made): readonly Made[] =>
  Array.from({ length }, (_, index) => make(index));
const tool = (name: string, more: object = {}) => ({ type: 'function', name, ...more });
const alignment = (...rules: readonly string[]) => body({ plugins: [{ id: 'alignment', rules }] });

async function refused(sent: object): Promise<Awaited<ReturnType<typeof errorOf>>> {
  const reply = await routing.call(sent);
  equal(reply.status, 400, await textOf(reply));
  return await errorOf(reply);
}

describe('400 for a body', () => {
  test.each<[string, object]>([
    ['that refers to an earlier response', body({ previous_response_id: 'resp_1' })],
    ['that wants to be stored', body({ store: true })],
    ['that wants to run in the background', body({ background: true })],
    [
      'with 17 pairs of metadata',
      body({ metadata: Object.fromEntries(many(17, (i) => [`k${i}`, ''])) }),
    ],
    ['with a key of metadata of 65 characters', body({ metadata: { ['k'.repeat(65)]: '' } })],
    ['with a bracket in a key of metadata', body({ metadata: { 'a[': '' } })],
    ['with a closing bracket in one', body({ metadata: { 'a]': '' } })],
    ['with a value of metadata of 513 characters', body({ metadata: { a: 'x'.repeat(513) } })],
    ['with a value of metadata that is no string', body({ metadata: { a: 1 } })],
    ['with a session of 257 characters', body({ session_id: 'x'.repeat(257) })],
    ['with a user of 257 characters', body({ user: 'x'.repeat(257) })],
    ['with an empty user', body({ user: '' })],
    ['with control characters in its user', body({ user: 'a\nb' })],
    ['with no tool calls', body({ max_tool_calls: 0 })],
    ['that stops on nothing', body({ stop_server_tools_when: [] })],
    ['that stops on something unknown', body({ stop_server_tools_when: [{ type: 'mood' }] })],
    ['with an unknown plugin', body({ plugins: [{ id: 'nobody' }] })],
    ['with a plugin that is none', body({ plugins: ['web'] })],
    ['with plugins that are no list', body({ plugins: {} })],
    ['with 33 plugins', body({ plugins: many(33, () => ({ id: 'moderation' })) })],
    ['with no rule to be held', alignment()],
    ['with 129 rules', alignment(...many(129, (index) => `rule ${String(index)}`))],
    ['with an empty rule', alignment('')],
    ['with a rule of 201 characters', alignment('x'.repeat(201))],
    ['with a rule of two lines', alignment('a\nb')],
    [
      'with an unknown key of alignment',
      body({ plugins: [{ id: 'alignment', rules: ['a'], colour: 1 }] }),
    ],
    ['with an unknown key of provider', body({ provider: { colour: 'red' } })],
    ['with provider preferences that are none', body({ provider: [] })],
    ['with an unknown quantization', body({ provider: { quantizations: ['int1'] } })],
    ['with an unknown order', body({ provider: { sort: 'beauty' } })],
    ['with an unknown kind of tool', body({ tools: [{ type: 'nail' }] })],
    ['with an unknown tool of the service', body({ tools: [{ type: 'service:nail' }] })],
    ['with 129 tools', body({ tools: many(129, (index) => tool(`f${String(index)}`)) })],
    ['with two functions of one name', body({ tools: [tool('f'), tool('f')] })],
    [
      'that chooses a tool that is not there',
      body({ tools: [tool('f')], tool_choice: { type: 'function', name: 'g' } }),
    ],
    ['that requires a tool and has none', body({ tool_choice: 'required' })],
    [
      'whose schema is no JSON schema',
      body({ text: { format: { type: 'json_schema', name: 'a', schema: { type: 'text' } } } }),
    ],
    [
      'whose schema refers to nothing',
      body({
        text: { format: { type: 'json_schema', name: 'a', schema: { $ref: '#/$defs/nobody' } } },
      }),
    ],
    [
      'whose schema is none',
      body({ text: { format: { type: 'json_schema', name: 'a', schema: 'x' } } }),
    ],
    ['whose schema has no name', body({ text: { format: { type: 'json_schema', schema: {} } } })],
    ['with an unknown service tier', body({ service_tier: 'gold' })],
    ['with an unknown modality', body({ modalities: ['smell'] })],
    [
      'that includes something unknown',
      body({ include: ['everything'], unsupported_features: 'strict' }),
    ],
    ['with an unknown effort', body({ reasoning: { effort: 'heroic' } })],
    ['with an unknown truncation', body({ truncation: 'middle' })],
    ['with an unknown verbosity', body({ text: { verbosity: 'chatty' } })],
    ['that is too hot', body({ temperature: 2.1 })],
    ['with 21 alternatives of each token', body({ top_logprobs: 21 })],
    ['with half a token of output', body({ max_output_tokens: 0.5 })],
    ['with 10,001 items', body({ input: many(10_001, () => ({ role: 'user', content: '' })) })],
    [
      'that wants no thoughts of a model that always thinks',
      body({ model: 'sim/reasoning', reasoning: { effort: 'none' } }),
    ],
    [
      'that turns the thoughts of such a model off',
      body({ model: 'sim/reasoning', reasoning: { enabled: false } }),
    ],
    ['that leaves them no token', body({ model: 'sim/reasoning', reasoning: { max_tokens: 0 } })],
    ['with two changes of the effort one after the other', body({ input: [update, update] })],
  ])('%s', async (_, sent) => {
    const error = await refused(sent);
    equal(error.code, 400);
    equal(error.metadata['error_type'], 'invalid_request');
    ok(error.message.startsWith('Invalid request: '), error.message);
    const issues = error.metadata['issues'] as readonly { path: string; message: string }[];
    ok(issues.length > 0 && issues.every(({ message }) => message.length > 0));
    // A wrong field is reported before a feature that is not built.
    ok(!error.message.includes('not available yet'), error.message);
  });

  test.each<[string, object]>([
    ['without input, prompt and instructions', { model: 'sim/echo' }],
    ['with empty input and nothing else', { model: 'sim/echo', input: [] }],
    [
      'whose output names no call',
      body({ input: [{ type: 'function_call_output', call_id: 'a', output: '' }] }),
    ],
    [
      'whose call has no output',
      body({ input: [{ type: 'function_call', call_id: 'a', name: 'f', arguments: '' }] }),
    ],
    ['with an unknown item', body({ input: [{ type: 'dream' }] })],
  ])('%s: it is the prompt that is wrong', async (_, sent) => {
    equal((await refused(sent)).metadata['error_type'], 'invalid_prompt');
  });

  test.each<[string, object]>([
    ['without a model', { input: 'hi' }],
    ['with no model to fall back to either', { input: 'hi', models: [] }],
    ['with a model that nobody has', body({ model: 'nobody/nothing' })],
  ])('%s', async (_, sent) => {
    const { metadata, availability } = await refused(sent);
    equal(metadata['error_type'], 'invalid_request');
    equal(availability?.['code'], 'model_not_found');
  });

  test('that is nothing, no JSON, no object, too deep, or no UTF-8', async () => {
    const bodies = ['', '{', '[]', '"x"', 'null', `${'['.repeat(65)}${']'.repeat(65)}`].map(
      (text) => Buffer.from(text),
    );
    for (const sent of [...bodies, Buffer.from([0x7b, 0xff, 0x7d])]) {
      const reply = await routing.callBytes(sent);
      equal(reply.status, 400, sent.toString());
      equal((await errorOf(reply)).metadata['error_type'], 'invalid_request');
    }
  });
});

const update = { type: 'configuration_update', reasoning: { effort: 'low' } };
