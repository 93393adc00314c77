import { deepEqual, equal, ok } from 'node:assert/strict';
import { isRejection } from '@sluice/errors';
import { describe, test } from 'vitest';
import { type Body, bodyChecks } from '../testing/body-checks.ts';
import { messages } from './index.ts';
import { parseMessagesRequest } from './parse-request.ts';

const base: Body = {
  model: 'sim/messages',
  max_tokens: 9,
  messages: [{ role: 'user', content: 'hello' }],
};
const { accepted, issues } = bodyChecks(base, parseMessagesRequest);
const look = { name: 'look', input_schema: { type: 'object' } };
const bash = { type: 'bash_20250124', name: 'bash' };

describe('the tools of a message', () => {
  test('keep what only this format says of a function', () => {
    const [plain, told] = accepted({
      tools: [
        look,
        {
          ...look,
          name: 'see',
          type: 'custom',
          input_examples: [{ a: 1 }],
          eager_input_streaming: false,
        },
      ],
    }).inference.tools;
    deepEqual(told, {
      ...plain,
      name: 'see',
      inputExamples: [{ a: 1 }],
      streamsEagerly: false,
    });
  });

  test('that Anthropic defines and the client runs go on as they came, without what runs code', () => {
    const computer = {
      type: 'computer_20251124',
      name: 'computer',
      display_width_px: 1_024,
      display_height_px: 768,
    };
    const editor = { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' };
    const { inference, leftOut } = accepted({
      tools: [
        { ...bash, cache_control: { type: 'ephemeral', ttl: '1h' } },
        { ...computer, allowed_callers: ['code_execution_20250825'], defer_loading: true },
        { ...editor, max_characters: 9 },
      ],
      tool_choice: { type: 'tool', name: 'bash' },
    });
    deepEqual(inference.tools, [
      { type: 'native', tool: bash, cache: { ttl: '1h' } },
      { type: 'native', tool: computer },
      { type: 'native', tool: { ...editor, max_characters: 9 } },
    ]);
    deepEqual(inference.toolChoice, { type: 'native', tool: bash });
    deepEqual(leftOut, []);
  });

  test.each([
    'code_execution_20250522',
    'code_execution_20250825',
    'computer_toolset_20260801',
    'mcp_toolset',
    'service:anything',
  ])('are left out if nothing runs them, beside others: %s', (type) => {
    const { inference, leftOut } = accepted({ tools: [{ type, name: 'x' }, look] });
    deepEqual(
      inference.tools.map((tool) => tool.type),
      ['function'],
    );
    deepEqual(leftOut, [type]);
    ok(issues({ tools: [{ type, name: 'x' }] })[0]?.startsWith('tools[0].type: '));
  });

  test('of a server are left out with it, beside others', () => {
    const served = { mcp_servers: [{ name: 's' }] };
    const call = accepted({ ...served, tools: [{ type: 'mcp_toolset' }, look] });
    deepEqual(call.leftOut, ['mcp_toolset']);
    equal(call.warning, 'mcp_servers has no effect');
    const refused = 'mcp_servers: a server of tools is known, but not available yet';
    deepEqual(issues(served), [refused]);
    deepEqual(issues({ ...served, tools: [look], unsupported_features: 'strict' }), [refused]);
    equal(accepted({ mcp_servers: [] }).warning, undefined);
  });

  test.each<[Body, string]>([
    [{ name: 'f' }, 'tools[0].input_schema: is required'],
    [{ type: 'custom', name: 'f' }, 'tools[0].input_schema: is required'],
    [{ type: 'a b' }, 'tools[0].type: must be '],
    [{ ...look, input_examples: [7] }, 'tools[0].input_examples[0]: must be an object'],
  ])('are refused with the place: %j', (tool, meant) => {
    const found = issues({ tools: [tool] });
    ok(found[0]?.startsWith(meant), found.join('\n'));
  });

  test('have names of their own, whoever defines them', () => {
    deepEqual(issues({ tools: [bash, { ...look, name: 'bash' }] }), [
      'tools[1].name: repeats the name bash',
    ]);
  });
});

describe('a thread', () => {
  test.each([{ type: 'create' }, { type: 'continue', previous_message_id: 'msg_1' }])(
    'is refused so that the SDK sends the whole conversation: %j',
    (thread) => {
      const result = { type: 'tool_result', tool_use_id: 'x', content: 'ok' };
      const body = { ...base, messages: [{ role: 'user', content: [result] }], thread };
      const rejection = parseMessagesRequest(Buffer.from(JSON.stringify(body)));
      ok(isRejection(rejection));
      const reply = messages.error(rejection);
      equal(reply.status, 400);
      ok(typeof reply.body === 'string');
      const { error } = JSON.parse(reply.body) as { readonly error: Body };
      equal(error['type'], 'invalid_request_error');
      deepEqual(error['details'], {
        error_code: 'thread_unsupported_request',
        unsupported: ['thread'],
      });
    },
  );

  test('that is null is none', () => {
    equal(accepted({ thread: null }).warning, undefined);
  });
});
