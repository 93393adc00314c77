import { deepEqual, equal } from 'node:assert/strict';
import type { InputItem } from '@sluice/inference';
import { describe, test } from 'vitest';
import { judgedMessage } from './judged-message.ts';

const said = (text: string): InputItem => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'text', text }],
});

describe('the message that is judged', () => {
  test('has all texts and all calls', () => {
    const message = judgedMessage([
      said('one '),
      { type: 'function-call', callId: 'a', name: 'f', namespace: 'n', arguments: '{"a":1}' },
      { type: 'custom-tool-call', callId: 'b', name: 'g', input: 'free' },
      { type: 'native', item: { type: 'local_shell_call', action: { command: ['ls'] } }, text: '' },
      said('two'),
    ]);
    deepEqual(message, {
      text: 'one two',
      tool_calls: [
        { name: 'n.f', arguments: '{"a":1}' },
        { name: 'g', arguments: 'free' },
        { name: 'local_shell_call', arguments: '{"action":{"command":["ls"]}}' },
      ],
    });
  });

  test('is none of thoughts and pictures alone', () => {
    const source = { type: 'data', mediaType: 'image/png', base64: '' } as const;
    const picture = { type: 'image', source, detail: 'auto' } as const;
    const item = { type: 'image_generation_call' };
    const thought = {
      type: 'reasoning',
      id: 'r',
      summary: [],
      content: ['hm'],
      encrypted: undefined,
      signature: undefined,
      format: undefined,
    } as const;
    equal(judgedMessage([thought, { type: 'native', item, text: '', picture }]), undefined);
    equal(judgedMessage([]), undefined);
  });
});
