import type { InputItem, NativeItem } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import { callsOfItems } from './calls-of-items.ts';

const native = (item: NativeItem['item'], more: Partial<NativeItem> = {}): NativeItem => ({
  type: 'native',
  item,
  text: `[${String(item['type'])}]`,
  ...more,
});
const operation = { type: 'delete_file', path: 'old.txt' };
const patch = { type: 'apply_patch_call', call_id: 'c', operation, status: 'completed' };
const patched = { type: 'apply_patch_call_output', call_id: 'c', status: 'completed' };
const user: InputItem = { type: 'message', role: 'user', content: [{ type: 'text', text: 'u' }] };

describe('items of OpenAI’s API', () => {
  test.each<[string, readonly NativeItem['item'][], object, object]>([
    [
      'a patch',
      [patch, patched],
      { callId: 'c', name: 'apply_patch', arguments: JSON.stringify({ operation }) },
      { callId: 'c', output: '{"status":"completed"}' },
    ],
    [
      'a patch that failed',
      [patch, { ...patched, status: 'failed', output: 'no such file' }],
      { name: 'apply_patch' },
      { output: '{"status":"failed","output":"no such file"}', isError: true },
    ],
    [
      'commands',
      [
        { type: 'shell_call', id: 'i', call_id: 'c', action: { commands: ['ls'] } },
        { type: 'shell_call_output', call_id: 'c', output: [{ stdout: 'a' }] },
      ],
      { callId: 'c', name: 'shell', arguments: '{"commands":["ls"]}' },
      { callId: 'c', output: '{"results":[{"stdout":"a"}]}' },
    ],
    [
      'a command of a local shell',
      [
        { type: 'local_shell_call', id: 'i', call_id: 'c', action: { command: ['ls'] } },
        { type: 'local_shell_call_output', id: 'c', output: 'a' },
      ],
      { callId: 'c', name: 'local_shell', arguments: '{"command":["ls"]}' },
      { callId: 'c', output: 'a' },
    ],
    [
      'an action on a screen',
      [
        { type: 'computer_call', call_id: 'c', action: { type: 'click' } },
        { type: 'computer_call_output', call_id: 'c', output: { image_url: 'data:…' } },
      ],
      { callId: 'c', name: 'computer', arguments: '{"actions":[{"type":"click"}]}' },
      { callId: 'c', output: 'a screenshot' },
    ],
    [
      'code with its outputs',
      [{ type: 'code_interpreter_call', id: 'i', status: 'completed', code: '1', outputs: null }],
      { callId: 'i', name: 'code_interpreter', arguments: '{"code":"1"}' },
      { callId: 'i', output: '{"status":"completed","outputs":[]}' },
    ],
  ])('become calls of functions with their outputs: %s', (_, items, call, output) => {
    expect(callsOfItems([user, ...items.map((item) => native(item)), user])).toEqual([
      user,
      expect.objectContaining({ type: 'function-call', ...call }),
      expect.objectContaining({ type: 'function-call-output', ...output }),
      user,
    ]);
  });

  test('are calls of the function that stands for their tool in the request', () => {
    const [call] = callsOfItems([native(patch, { toolName: 'service_apply_patch' })]);
    expect(call).toMatchObject({ type: 'function-call', name: 'service_apply_patch' });
  });

  test('stay as they are without a call, and if the call is of no known kind', () => {
    const items = [native(patched), native({ type: 'web_search_call', id: 'w' }), user];
    expect(callsOfItems(items)).toBe(items);
    const orphan = native({ ...patched, call_id: 'other' });
    expect(callsOfItems([native(patch), orphan])[1]).toBe(orphan);
    const nameless = native({ ...patch, call_id: undefined });
    expect(callsOfItems([nameless])).toEqual([nameless]);
  });
});
