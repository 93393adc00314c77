import { describe, expect, test } from 'vitest';
import {
  accepted,
  call,
  message,
  output,
  refused,
  tool,
  type Body,
} from '../testing/request-body.ts';

const items = (...input: readonly Body[]) => accepted({ input }).inference.items;
const custom: Body = { type: 'custom_tool_call', call_id: 'c', name: 'sql', input: 'SELECT 1' };
const answer: Body = { type: 'custom_tool_call_output', call_id: 'c', output: 'one' };

describe('an item of the input', () => {
  test('may be a call of a custom tool and its output', () => {
    expect(items(custom, answer)).toEqual([
      { type: 'custom-tool-call', callId: 'c', name: 'sql', input: 'SELECT 1' },
      { type: 'custom-tool-call-output', callId: 'c', output: 'one' },
    ]);
    expect(refused({ input: [custom] }).message).toContain('has no custom_tool_call_output');
    const wrong = { ...answer, call_id: 'd' };
    expect(refused({ input: [custom, answer, wrong] }).message).toContain(
      'input[2].call_id: names no earlier custom_tool_call',
    );
    expect(refused({ input: [call('c'), answer] }).message).toContain('names no earlier');
  });

  test('may answer with pictures and documents', () => {
    const picture = { type: 'input_image', image_url: 'https://a.example/b.png' };
    const [, answered] = items(
      call('a'),
      output('a', [{ type: 'input_text', text: 'x' }, picture]),
    );
    expect(answered).toMatchObject({ output: [{ type: 'text' }, { type: 'image' }] });
    const audio = { type: 'input_audio', input_audio: { data: 'aGk=', format: 'wav' } };
    expect(refused({ input: [call('a'), output('a', [audio])] }).message).toContain('[0].type');
  });

  test('may be a call that is answered later, of a tool that says so', () => {
    const input = [message('hi'), call('a')];
    expect(refused({ input, tools: [tool('f')] }).message).toContain('has no function_call_output');
    expect(accepted({ input, tools: [tool('f', { async: true })] })).toBeDefined();
  });

  test('that only the upstream can read tells other dialects nothing', () => {
    expect(items({ type: 'compaction', encrypted_content: 'x' })[0]).toMatchObject({ text: '' });
  });

  test.each<[Body, string]>([
    [{ type: 'mcp_call', id: 'm' }, 'server_label: is required'],
    [{ type: 'compaction' }, 'encrypted_content: is required'],
    [{ type: 'toString' }, 'type: is no known kind of input item'],
    [{ type: 'reasoning', id: 'r', summary: [{}] }, 'summary[0].text: is required'],
    [
      { type: 'reasoning', id: 'r', summary: [], format: 'mine' },
      'format: must be one of unknown,',
    ],
    [{ ...call('a'), subagent_id: 's' }, 'subagent_id: names no item service:subagent'],
    [{ ...call('a'), subagent_items: [] }, 'subagent_id: is required'],
  ])('that is wrong is refused: %o', (item, reason) => {
    expect(refused({ input: [item] }).message).toContain(reason);
  });

  test('that refers to another one is that one; nothing is stored that it could name else', () => {
    const said = { ...message('hi'), id: 'msg_1' };
    expect(items(said, { type: 'item_reference', id: 'msg_1' })).toHaveLength(2);
    expect(refused({ input: [said, { type: 'item_reference', id: 'msg_2' }] }).message).toContain(
      'input[1].id: names no item of this request',
    );
  });

  test('may add tools: one of the same name takes the place of the first', () => {
    const added = {
      type: 'additional_tools',
      role: 'developer',
      tools: [tool('f', { strict: true }), tool('g')],
    };
    const request = accepted({ input: [message('hi'), added], tools: [tool('f'), tool('h')] });
    expect(request.inference.tools).toMatchObject([
      { name: 'h' },
      { name: 'f', strict: true },
      { name: 'g' },
    ]);
    expect(request.inference.items).toHaveLength(1);
  });

  test('must not change the effort twice in a row', () => {
    const update = { type: 'configuration_update', reasoning: { effort: 'high' } };
    expect(refused({ input: [update, update] }).message).toContain('input[1]: follows another');
  });

  test('keeps the phase of what the assistant said', () => {
    const said = { ...message('a', 'assistant'), phase: 'commentary' };
    expect(items(said)[0]).toMatchObject({ phase: 'commentary' });
    expect(items({ ...message('a'), phase: 'commentary' })[0]).not.toHaveProperty('phase');
  });
});

describe('a tool', () => {
  test('may be custom, with a grammar', () => {
    const format = { type: 'grammar', syntax: 'lark', definition: 'start: "a"' };
    const { inference, echo } = accepted({ tools: [{ type: 'custom', name: 'sql', format }] });
    expect(inference.tools).toEqual([
      { type: 'custom', name: 'sql', description: undefined, format },
    ]);
    expect(echo.tools).toEqual([{ type: 'custom', name: 'sql', description: null, format }]);
    const wrong = { type: 'custom', name: 'sql', format: { type: 'grammar', syntax: 'bnf' } };
    expect(refused({ tools: [wrong] }).message).toContain('syntax: must be one of lark, regex');
  });

  test('may be run by the provider: it is kept as it came', () => {
    const search = { type: 'file_search', vector_store_ids: ['v'] };
    expect(accepted({ tools: [search] }).inference.tools).toEqual([
      { type: 'native', tool: search },
    ]);
    expect(refused({ tools: [{ type: 'file_search' }] }).message).toContain('vector_store_ids');
    expect(refused({ tools: [{ type: 'mcp', server_label: 'x' }] }).message).toContain(
      'server_url',
    );
  });

  test('may be among those that are allowed', () => {
    const tools = [tool('f'), tool('g')];
    const allowed = {
      type: 'allowed_tools',
      mode: 'required',
      tools: [{ type: 'function', name: 'g' }],
    };
    const request = accepted({ tools, tool_choice: allowed });
    expect(request.inference.toolChoice).toEqual({
      type: 'allowed',
      mode: 'required',
      tools: [{ name: 'g' }],
    });
    expect(request.echo.tool_choice).toEqual(allowed);
    const unknown = { ...allowed, tools: [{ type: 'function', name: 'h' }] };
    expect(refused({ tools, tool_choice: unknown }).message).toContain('tool_choice.tools[0].name');
  });
});
