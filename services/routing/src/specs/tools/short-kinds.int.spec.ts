import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { inMemorySandbox } from '../../testing/in-memory-sandbox.ts';
import { type RoutingHarness, routingHarness, textOf } from '../../testing/routing-harness.ts';
import { factsOf } from '../../testing/tool-loops.ts';

// Tools of OpenAI's API: endpoints that have them get them as they are, and elsewhere the service answers in kind.

const sandbox = inMemorySandbox();
let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({ sandbox });
});
afterAll(() => routing.stop());

interface Item {
  readonly type: string;
  readonly status: string;
  readonly call_id: string;
  readonly action?: { readonly commands: readonly string[] };
  readonly operation?: object;
  readonly output?: readonly { readonly stdout: string }[];
  readonly result?: string;
}

/** Returns the items of an answer, and the types of its events. */
async function answered(body: object, stream: boolean) {
  const reply = await routing.call({ stream, ...body });
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  const events = stream
    ? text
        .split('\n')
        .filter((line) => line.startsWith('data: {'))
        .map((line) => JSON.parse(line.slice(6)) as { type: string; response?: object })
    : [];
  const response = stream ? events.at(-1)?.response : (JSON.parse(text) as object);
  const { output: all } = response as { output: readonly Item[] };
  // Gemini's thoughts come before its calls.
  const output = all.filter(({ type }) => type !== 'reasoning');
  const facts = await factsOf(routing, reply, 1);
  return { text, output, facts, types: events.map(({ type }) => type) };
}

const models = ['sim/chat', 'sim/messages', 'sim/gemini'];
const cases = models.flatMap((model) => [false, true].map((stream) => ({ model, stream })));
const asking = (name: string) => [{ role: 'user', content: `call ${name}` }];

describe.each(cases)('at an endpoint of $model without the tool, streamed: $stream', (one) => {
  const { model, stream } = one;

  test.each(['shell', 'local_shell'])('%s runs in the sandbox', async (type) => {
    const before = sandbox.commands.length;
    const body = { model, input: asking('service_shell'), tools: [{ type }] };
    const { output, text } = await answered(body, stream);
    deepEqual(sandbox.commands.slice(before), ['echo hello']);
    const [call, result, message] = output;
    deepEqual([call?.type, call?.status], ['shell_call', 'completed']);
    deepEqual(call?.action?.commands, ['echo hello']);
    equal(result?.type, 'shell_call_output');
    equal(result.call_id, call?.call_id);
    ok(result.output?.[0]);
    equal(message?.type, 'message', text);
  });

  test('apply_patch goes to the client', async () => {
    const body = { model, input: asking('service_apply_patch'), tools: [{ type: 'apply_patch' }] };
    const { output, types, text } = await answered(body, stream);
    deepEqual(
      output.map(({ type, status }) => `${type} ${status}`),
      ['apply_patch_call completed'],
      text,
    );
    deepEqual(output[0]?.operation, { type: 'create_file', path: 'notes.txt', diff: '+one line' });
    deepEqual(
      types.filter((one) => one.includes('operation_diff')),
      [],
      'OpenAI’s client knows none of these events',
    );
    const input = [
      ...asking('x'),
      ...output,
      { type: 'apply_patch_call_output', call_id: output[0]?.call_id, status: 'completed' },
      { role: 'user', content: 'Thanks' },
    ];
    match((await answered({ ...body, input }, stream)).text, /Thanks/);
  });

  test('image_generation draws with our model', async () => {
    const tools = [{ type: 'image_generation', quality: 'low' }];
    const body = { model, input: asking('service_image_generation'), tools };
    const catalog = await routingHarness({ imageModel: 'sim/gemini-image' });
    const text = await textOf(await catalog.call({ ...body, stream }));
    await catalog.stop();
    match(text, /"type":"image_generation_call"/);
    match(text, /"result":"iVBOR/);
    match(text, /"status":"completed"/);
  });
});

const operation = { type: 'update_file', path: 'a.txt', diff: '@@' };
const earlier = [
  { type: 'apply_patch_call', call_id: 'c1', operation, status: 'completed' },
  { type: 'apply_patch_call_output', call_id: 'c1', status: 'failed', output: 'no such line' },
  { type: 'shell_call', call_id: 'c2', action: { commands: ['ls -l'] } },
  {
    type: 'shell_call_output',
    call_id: 'c2',
    output: [{ stdout: 'seven', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
  },
];
const conversation = [...asking('x'), ...earlier, { role: 'user', content: 'Thanks' }];

describe('earlier calls of the short kinds', () => {
  const debug = { echo_upstream_body: true };

  test.each(models)(
    'are calls of the tools of the request, with their outputs: %s',
    async (model) => {
      const tools = [{ type: 'apply_patch' }, { type: 'shell' }];
      const { text } = await answered({ model, input: conversation, tools, debug }, true);
      const sent = /"echo_upstream_body":(.*)/.exec(text)?.[1] ?? '';
      for (const name of ['service_apply_patch', 'service_shell'])
        equal(sent.split(`"${name}"`).length, model === 'sim/gemini' ? 4 : 3, sent);
      match(sent, /seven/);
      match(sent, /no such line/);
      ok(!sent.includes('[shell_call]'), sent);
    },
  );

  test.each(models)('are calls although the request has no tool of the kind: %s', async (model) => {
    const tools = [{ type: 'function', name: 'f', parameters: { type: 'object' } }];
    const { text } = await answered({ model, input: conversation, tools, debug }, true);
    match(text, /"apply_patch"/);
    match(text, /"shell"/);
  });

  test.each(models)('are read without any tool: %s', async (model) => {
    match((await answered({ model, input: conversation }, false)).text, /Thanks/);
  });

  test('stay as they are for an endpoint that knows them', async () => {
    const tools = [{ type: 'apply_patch' }, { type: 'shell' }];
    const body = { model: 'sim/echo', input: conversation, tools, debug };
    const { text } = await answered(body, true);
    for (const item of earlier) ok(text.includes(JSON.stringify(item)), text);
  });
});

describe('an endpoint with the tool', () => {
  test.each(['shell', 'local_shell', 'apply_patch', 'image_generation'])(
    'is sent %s as it is',
    async (type) => {
      const tool = { type, ...(type === 'image_generation' && { quality: 'low' }) };
      const debug = { echo_upstream_body: true };
      const body = { model: 'sim/echo', input: 'x', tools: [tool], debug };
      const { text, facts } = await answered(body, true);
      ok(text.includes(`"tools":[${JSON.stringify(tool)}]`), text);
      deepEqual([...facts.keys()], ['/1/1']);
    },
  );
});

test('a workspace that disabled the tool has no short kind of it', async () => {
  routing.policies.disabledServerTools = ['service:shell'];
  const principal = { accountId: 'a', workspaceId: 'w', keyHash: 'other' } as const;
  const more = { limitNanoUsd: null, limitReset: null, includeByokInLimit: false };
  const body = { model: 'sim/echo', input: 'x', tools: [{ type: 'shell' }] };
  const reply = await routing.call(body, { principal: { ...principal, ...more } });
  routing.policies.disabledServerTools = [];
  equal(reply.status, 403);
});
