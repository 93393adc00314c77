import { equal, ok } from 'node:assert/strict';
import type { ClientDialectName } from '@sluice/inference-port';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type AnsweredCall, callsTools } from '../../testing/called-answers.ts';
import { dialects, type HostileWorld, hostileWorld, patient } from '../../testing/hostile-world.ts';
import { eventually, textOf } from '../../testing/routing-harness.ts';

let world: HostileWorld;
beforeAll(async () => {
  world = await hostileWorld(patient);
});
afterAll(() => world.stop());

/** Numbers that JavaScript cannot hold, and a name that objects have already. */
const values =
  '{"id":1234567890123456789,"huge":1e400,"tiny":1e-400,"zero":-0,' +
  '"third":0.33333333333333333333,"list":[9007199254740993],"__proto__":{"id":12345678901234567890}}';

/** Returns the body of a request that has had a call with these arguments, in a tool with this schema. */
const bodies: Readonly<Record<string, (args: string, schema: string) => string>> = {
  responses: (args, schema) =>
    `"max_output_tokens":50,"tools":[{"type":"function","name":"look","parameters":${schema}}],` +
    `"text":{"format":{"type":"json_schema","name":"a","schema":${schema}}},"input":[` +
    `{"role":"user","content":"hi"},{"type":"function_call","call_id":"c0","name":"look",` +
    `"arguments":${JSON.stringify(args)}},{"type":"function_call_output","call_id":"c0","output":` +
    `${JSON.stringify(args)}}]`,
  'chat-completions': (args, schema) =>
    `"max_tokens":50,"tools":[{"type":"function","function":{"name":"look","parameters":${schema}}}],` +
    `"response_format":{"type":"json_schema","json_schema":{"name":"a","schema":${schema}}},` +
    `"messages":[{"role":"user","content":"hi"},{"role":"assistant","tool_calls":[{"id":"c0",` +
    `"type":"function","function":{"name":"look","arguments":${JSON.stringify(args)}}}]},` +
    `{"role":"tool","tool_call_id":"c0","content":${JSON.stringify(args)}}]`,
  messages: (args, schema) =>
    `"max_tokens":50,"tools":[{"name":"look","input_schema":${schema}}],` +
    `"output_config":{"format":{"type":"json_schema","schema":${schema}}},` +
    `"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"tool_use",` +
    `"id":"c0","name":"look","input":${args}}]},{"role":"user","content":[{"type":"tool_result",` +
    `"tool_use_id":"c0","content":${JSON.stringify(args)}}]}]`,
};
const doors = ['responses', 'chat-completions', 'messages'] as const;

async function asked(
  door: ClientDialectName,
  dialect: (typeof dialects)[number],
  { stream, calls }: { readonly stream: boolean; readonly calls: readonly AnsweredCall[] },
) {
  world.hostile.scenario = callsTools(dialect, { stream }, ...calls);
  const schema =
    '{"type":"object","properties":{"id":{"type":"integer","const":1234567890123456789,' +
    '"minimum":-9223372036854775808,"enum":[1234567890123456789]}}}';
  const said = bodies[door]?.(values, schema) ?? '';
  const body = `{"model":"hostile/${dialect}","stream":${String(stream)},${said}}`;
  const reply = await world.routing.callBytes(Buffer.from(body), { dialect: door });
  return { status: reply.status, text: await textOf(reply) };
}

const cases = doors.flatMap((door) =>
  dialects.flatMap((dialect) =>
    [false, true].map((stream) => ({ door, dialect, stream, form: stream ? 'stream' : 'whole' })),
  ),
);

/** Returns the text without the escapes of JSON in JSON. */
const bare = (text: string): string => text.replaceAll('\\', '');

describe('numbers that JavaScript would round', () => {
  test.for(cases)('pass from $dialect to $door, $form', async ({ door, dialect, stream }) => {
    const isText = dialect === 'openai-chat' || dialect === 'openai-responses';
    const args = isText ? JSON.stringify(values) : values;
    const { status, text } = await asked(door, dialect, { stream, calls: [{ id: 'c1', args }] });
    equal(status, 200, text);
    ok(bare(text).includes(values), text);
  });

  test.for(cases)('pass from $door to $dialect, $form', async ({ door, dialect, stream }) => {
    const { status, text } = await asked(door, dialect, { stream, calls: [{ args: '{}' }] });
    equal(status, 200, text);
    const sent = await eventually(() => {
      const body = bare(world.hostile.received);
      return body.endsWith('}') ? body : undefined;
    }, 'the request');
    // The call and its answer, and the schemas of the tool and of the answer.
    const times = (what: string) => sent.split(what).length - 1;
    equal(times(values), 2, sent);
    equal(times('"const":1234567890123456789'), 2, sent);
    equal(times('[1234567890123456789]'), 2, sent);
    equal(times('-9223372036854775808'), 2, sent);
  });
});
