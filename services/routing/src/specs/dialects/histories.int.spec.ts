import { equal } from 'node:assert/strict';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { routingHarness, textOf, type RoutingHarness } from '../../testing/routing-harness.ts';

// The simulator refuses the same histories as the real providers. Each history of the contract must pass.

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
});
afterAll(() => routing.stop());

const tools = [
  { type: 'function', name: 'f', parameters: { type: 'object' } },
  {
    type: 'namespace',
    name: 'n',
    description: 'd',
    tools: [{ type: 'function', name: 'f', parameters: { type: 'object' } }],
  },
  { type: 'custom', name: 'sql' },
];
const picture = { type: 'input_image', image_url: 'data:image/png;base64,aGk=' };
const formats = ['openai-responses-v1', 'anthropic-claude-v1', 'google-gemini-v1', 'unknown'];

interface Item {
  readonly type: string;
  readonly [field: string]: unknown;
}

const said = fc.constantFrom('user', 'assistant', 'developer').map((role): Item => {
  return { type: 'message', role, content: `the ${role}` };
});
const thought = fc.constantFrom(...formats).map((format): Item => ({
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'hm' }],
  content: [{ type: 'reasoning_text', text: 'hm' }],
  signature: 'c2ln',
  encrypted_content: 'c2Vh',
  format,
}));
const ran: fc.Arbitrary<Item> = fc.constantFrom(
  { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'aGk=' },
  { type: 'compaction', encrypted_content: 'x' },
  { type: 'apply_patch_call_output', call_id: 'p', status: 'failed', output: 'no' },
);
const kind = fc.constantFrom('plain', 'member', 'freeform', 'odd');
const called = kind.map((of): Item => {
  switch (of) {
    case 'freeform':
      return { type: 'custom_tool_call', name: 'sql', input: 'SELECT "1"\n' };
    case 'member':
      return { type: 'function_call', name: 'f', namespace: 'n', arguments: '{"a":1}' };
    case 'odd':
      return { type: 'function_call', name: '1 gone.tool', arguments: 'no JSON' };
    case 'plain':
      return { type: 'function_call', name: 'f', arguments: '{}' };
  }
});

/** Calls get ids of their own, and outputs come anywhere after them, or never. */
const history = fc
  .array(
    fc.record({
      item: fc.oneof(said, thought, ran, { weight: 4, arbitrary: called }),
      delay: fc.option(fc.nat(6)),
      hasPicture: fc.boolean(),
    }),
    { maxLength: 14 },
  )
  .map((steps) => {
    const placed: (readonly [number, Item])[] = [];
    for (const [index, { item, delay, hasPicture }] of steps.entries()) {
      const isCall = item.type.endsWith('_tool_call') || item.type === 'function_call';
      placed.push([index, isCall ? { ...item, call_id: `c${index}` } : item]);
      if (!isCall || delay === null) continue;
      const output = hasPicture ? [{ type: 'input_text', text: 'see' }, picture] : 'done';
      placed.push([
        index + delay + 0.5,
        { type: `${item.type}_output`, call_id: `c${index}`, output },
      ]);
    }
    placed.sort(([one], [other]) => one - other);
    // A call at the end would owe its output.
    return [...placed.map(([, item]) => item), { type: 'message', role: 'user', content: 'go on' }];
  });

describe.each(['sim/echo', 'sim/chat', 'sim/messages', 'sim/gemini'])('%s', (model) => {
  test('takes every history of the contract, with thoughts of every provider', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.boolean(), async (input, thinks) => {
        const more = thinks && { reasoning: { effort: 'high' }, max_output_tokens: 8_000 };
        const reply = await routing.call({ model, input, tools, ...more });
        const text = await textOf(reply);
        equal(reply.status, 200, text);
      }),
      { numRuns: 150 },
    );
  });
});
