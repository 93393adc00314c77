import { describe, expect, test } from 'vitest';
import { exec, nativeItems, serviceItems } from '../testing/sample-items.ts';
import { accepted, issuePaths, message, type Body } from '../testing/request-body.ts';

const screenshot = { type: 'computer_screenshot', image_url: 'https://a.example/seen.png' };
const item = (fields: Body) => accepted({ input: [fields] }).inference.items[0];
describe('an item of one dialect alone', () => {
  test.each(nativeItems)('is kept as it came: %o', (fields) => {
    expect(item(fields)).toEqual({
      type: 'native',
      item: fields,
      text: expect.any(String) as string,
    });
  });

  test.each<[Body, string]>([
    [{ type: 'apply_patch_call', call_id: 'c', status: 'completed' }, 'operation'],
    [
      {
        type: 'apply_patch_call',
        call_id: 'c',
        status: 'completed',
        operation: { type: 'create_file', path: 'a' },
      },
      'operation.diff',
    ],
    [
      {
        type: 'apply_patch_call',
        call_id: 'c',
        status: 'incomplete',
        operation: { type: 'delete_file', path: 'a' },
      },
      'status',
    ],
    [{ type: 'apply_patch_call_output', call_id: 'c', status: 'done' }, 'status'],
    [{ type: 'web_search_call', id: 'w' }, 'status'],
    [{ type: 'web_search_call', id: 'w', status: 'completed', action: {} }, 'action.type'],
    [{ type: 'file_search_call', id: 'w', status: 'completed', queries: 'q' }, 'queries'],
    [{ type: 'image_generation_call', id: 'i', status: 'completed', result: {} }, 'result'],
    [
      { type: 'code_interpreter_call', id: 'i', status: 'completed', outputs: [{ type: 'x' }] },
      'outputs[0].type',
    ],
    [{ type: 'computer_call', call_id: 'c', status: 'completed' }, 'pending_safety_checks'],
    [{ type: 'computer_call_output', output: screenshot }, 'call_id'],
    [{ type: 'computer_call_output', call_id: 'c' }, 'output'],
    [{ type: 'computer_call_output', call_id: 'c', output: 'seen' }, 'output'],
    [
      { type: 'computer_call_output', call_id: 'c', output: { ...screenshot, type: 'text' } },
      'output.type',
    ],
    [
      { type: 'computer_call_output', call_id: 'c', output: { type: 'computer_screenshot' } },
      'output.image_url',
    ],
    [
      { type: 'computer_call_output', call_id: 'c', output: { ...screenshot, image_url: 1 } },
      'output.image_url',
    ],
    [
      { type: 'computer_call_output', call_id: 'c', output: screenshot, status: 'failing' },
      'status',
    ],
    [
      {
        type: 'computer_call_output',
        call_id: 'c',
        output: screenshot,
        acknowledged_safety_checks: [{}],
      },
      'acknowledged_safety_checks[0].id',
    ],
    [
      { type: 'local_shell_call', id: 'l', call_id: 'c', status: 'completed', action: {} },
      'action.type',
    ],
    [
      {
        type: 'local_shell_call',
        id: 'l',
        call_id: 'c',
        status: 'completed',
        action: { ...exec, env: { A: 1 } },
      },
      'action.env.A',
    ],
    [{ type: 'shell_call', call_id: 'c', action: { commands: 'ls' } }, 'action.commands'],
    [
      { type: 'shell_call_output', call_id: 'c', output: [{ stdout: '', stderr: '' }] },
      'output[0].outcome',
    ],
    [
      {
        type: 'shell_call_output',
        call_id: 'c',
        output: [{ stdout: '', stderr: '', outcome: { type: 'exit' } }],
      },
      'output[0].outcome.exit_code',
    ],
    [{ type: 'mcp_list_tools', id: 'm', server_label: 's', tools: [{}] }, 'tools[0].name'],
    [{ type: 'mcp_approval_response', approval_request_id: 'm', approve: 'yes' }, 'approve'],
    [
      { type: 'mcp_call', id: 'm', server_label: 's', name: 'n', arguments: '', error: {} },
      'error.type',
    ],
    [{ type: 'agent_message', author: 'a', recipient: 'b', content: 'x' }, 'content'],
    [{ type: 'configuration_update', reasoning: { effort: 'huge' } }, 'reasoning.effort'],
    [{ type: 'configuration_update', reasoning: {} }, 'reasoning.effort'],
  ])('that is wrong is refused: %o', (fields, path) => {
    expect(issuePaths({ input: [fields] })).toContain(`input[0].${path}`);
  });
});

test.each([
  ['iVBORw0KGgo=', 'image/png'],
  ['/9j/4AAQSkZJRg==', 'image/jpeg'],
  ['UklGRg==', 'image/webp'],
  ['R0lGODlh', 'image/gif'],
  ['aGk=', 'image/png'],
])('a picture that a model made is one for every model: %s', (base64, mediaType) => {
  const fields = { type: 'image_generation_call', id: 'ig_1', status: 'completed' };
  const source = { type: 'data', mediaType, base64 };
  expect(item({ ...fields, result: base64 })).toMatchObject({ picture: { source } });
  for (const result of [null, ''])
    expect(item({ ...fields, result })).not.toHaveProperty('picture');
});

test('a model of another dialect gets a screenshot as text without its bytes', () => {
  const output = {
    type: 'computer_screenshot',
    image_url: `data:image/png;base64,${'A'.repeat(9_999)}`,
  };
  const read = item({ type: 'computer_call_output', call_id: 'c', output });
  expect(read).toMatchObject({ text: '[computer_call_output] a screenshot' });
});

describe('what a tool of the service once answered', () => {
  test.each(serviceItems)('has a text for a request without the tool: %o', (fields) => {
    const read = item({ id: 'st_1', ...fields });
    expect(read).toMatchObject({ type: 'native', item: fields });
    const [, value] = Object.entries(fields).find(([name]) => !/type|status/.test(name)) ?? [];
    const words = typeof value === 'string' ? value : JSON.stringify(value);
    const { text } = read as { readonly text: string };
    expect(JSON.stringify(text)).toContain(JSON.stringify(words).slice(1, -1));
  });

  test.each<[Body, string]>([
    [{ type: 'service:web_search' }, 'status'],
    [{ type: 'service:web_search', status: 'done' }, 'status'],
    [{ type: 'service:nail', status: 'completed' }, 'type'],
    [{ type: 'service:constructor', status: 'completed' }, 'type'],
  ])('is refused when it cannot be that: %o', (fields, path) => {
    const input = [message('x'), fields];
    expect(issuePaths({ input, unsupported_features: 'strict' })).toEqual([`input[1].${path}`]);
  });
});
