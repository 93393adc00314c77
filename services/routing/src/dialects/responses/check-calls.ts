import type { Issues } from '../body/issues.ts';
import type { PlacedItem } from './read-input.ts';

/** Every output follows its call, and every call has an output unless its tool may answer later. */
export function checkCalls(
  items: readonly PlacedItem[],
  answersLater: ReadonlySet<string>,
  issues: Issues,
): void {
  if (items.every(({ item }) => item.type === 'message')) return;
  const called = new Set<string>();
  const unanswered = new Map<string, { readonly index: number; readonly kind: string }>();
  for (const { index = 0, item } of items)
    switch (item.type) {
      case 'function-call':
      case 'custom-tool-call':
        called.add(`${item.type}/${item.callId}`);
        if (!answersLater.has(item.name))
          unanswered.set(`${item.type}/${item.callId}`, { index, kind: kindOf(item.type) });
        break;
      case 'function-call-output':
      case 'custom-tool-call-output': {
        const callType =
          item.type === 'function-call-output' ? 'function-call' : 'custom-tool-call';
        const key = `${callType}/${item.callId}`;
        unanswered.delete(key);
        if (!called.has(key)) refuse(index, `names no earlier ${kindOf(callType)}`, issues);
        break;
      }
      case 'message':
      case 'reasoning':
      case 'native':
    }
  for (const { index, kind } of unanswered.values()) refuse(index, `has no ${kind}_output`, issues);
}

function kindOf(type: 'function-call' | 'custom-tool-call'): string {
  return type === 'function-call' ? 'function_call' : 'custom_tool_call';
}

function refuse(index: number, message: string, issues: Issues): void {
  issues.add(`input[${String(index)}].call_id`, message, 'invalid_prompt');
}
