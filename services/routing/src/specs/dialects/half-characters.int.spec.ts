import { equal, ok } from 'node:assert/strict';
import type { ClientDialectName } from '@sluice/inference-port';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { callsTools } from '../../testing/called-answers.ts';
import { dialects, type HostileWorld, hostileWorld, patient } from '../../testing/hostile-world.ts';
import { eventually, textOf } from '../../testing/routing-harness.ts';

let world: HostileWorld;
beforeAll(async () => {
  world = await hostileWorld(patient);
});
afterAll(() => world.stop());

/** A client has cut a text in the middle of this character. */
const half = '\ud83d';
const args = JSON.stringify({ [half]: `a${half}` });
const schema = { type: 'object', properties: { a: { type: 'string', description: half } } };

const bodies: Readonly<Record<string, object>> = {
  responses: {
    instructions: half,
    tools: [{ type: 'function', name: 'look', description: half, parameters: schema }],
    input: [
      { role: 'user', content: `hi ${half}` },
      { type: 'function_call', call_id: 'c0', name: 'look', arguments: args },
      { type: 'function_call_output', call_id: 'c0', output: half },
    ],
  },
  'chat-completions': {
    tools: [
      { type: 'function', function: { name: 'look', description: half, parameters: schema } },
    ],
    messages: [
      { role: 'system', content: half },
      { role: 'user', content: `hi ${half}` },
      {
        role: 'assistant',
        tool_calls: [{ id: 'c0', type: 'function', function: { name: 'look', arguments: args } }],
      },
      { role: 'tool', tool_call_id: 'c0', content: half },
    ],
  },
  messages: {
    max_tokens: 50,
    system: half,
    tools: [{ name: 'look', description: half, input_schema: schema }],
    messages: [
      { role: 'user', content: `hi ${half}` },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'c0', name: 'look', input: { [half]: half } }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c0', content: half }] },
    ],
  },
};

const cases = (['responses', 'chat-completions', 'messages'] as const).flatMap((door) =>
  dialects.flatMap((dialect) =>
    [false, true].map((stream) => ({ door, dialect, stream, form: stream ? 'stream' : 'whole' })),
  ),
);

async function sent(
  door: ClientDialectName,
  dialect: (typeof dialects)[number],
  stream: boolean,
): Promise<string> {
  world.hostile.scenario = callsTools(dialect, { stream }, { args: '{}' });
  const body = { ...bodies[door], model: `hostile/${dialect}`, stream };
  const reply = await world.routing.call(body, { dialect: door });
  equal(reply.status, 200, await textOf(reply));
  return await eventually(() => {
    const { received } = world.hostile;
    return received.endsWith('}') ? received.slice(received.indexOf('\r\n\r\n')) : undefined;
  }, 'the request');
}

describe('half a character', () => {
  test.for(cases)(
    'reaches no provider: $door to $dialect, $form',
    async ({ door, dialect, stream }) => {
      const body = await sent(door, dialect, stream);
      ok(!/\\u[dD][89a-fA-F]/.test(body), body);
      // The instructions, the message, the tool, its schema and its result have one each, the call two.
      const marks = body.match(/\ufffd|\\ufffd/g) ?? [];
      equal(marks.length, 7, body);
    },
  );
});
