import type { InputItem } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import { historyOf } from './history.ts';

const exchange = (name: string, callId: string, advice: string): readonly InputItem[] => [
  { type: 'function-call', callId, name, arguments: JSON.stringify({ prompt: `p${callId}` }) },
  { type: 'function-call-output', callId, output: JSON.stringify({ status: 'ok', advice }) },
];

const textsOf = (items: readonly InputItem[]) =>
  historyOf(items, 'service_advisor').map((item) =>
    item.type === 'message' ? [item.role, item.content] : [],
  );

describe('the memory of an advisor', () => {
  test('is its own questions with their advice', () => {
    const items = [
      ...exchange('service_advisor', '1', 'a'),
      ...exchange('service_advisor_2', '2', 'b'),
    ];
    expect(textsOf(items)).toEqual([
      ['user', [{ type: 'text', text: 'p1' }]],
      ['assistant', [{ type: 'text', text: 'a' }]],
    ]);
  });

  test('has no calls that failed, and none that are broken', () => {
    const name = 'service_advisor';
    const items: readonly InputItem[] = [
      { type: 'function-call', callId: '1', name, arguments: '{' },
      { type: 'function-call-output', callId: '1', output: '[]' },
      { type: 'function-call', callId: '2', name, arguments: '{"prompt":"a"}' },
      { type: 'function-call-output', callId: '2', output: '{"status":"error","error":"x"}' },
      { type: 'function-call', callId: '3', name, arguments: '{"prompt":"a"}' },
    ];
    expect(historyOf(items, name)).toEqual([]);
  });

  test('loses its middle when it is too long', () => {
    const items = ['1', '2', '3', '4', '5'].flatMap((id) =>
      exchange('service_advisor', id, id.repeat(60_000)),
    );
    const prompts = historyOf(items, 'service_advisor').flatMap((item) =>
      item.type === 'message' && item.role === 'user' ? item.content : [],
    );
    expect(prompts).toMatchObject(['1', '2', '4', '5'].map((id) => ({ text: `p${id}` })));
  });
});
