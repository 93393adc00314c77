import type { Tool } from '@sluice/inference';
import { callsWithoutOutput } from '../../../request/calls-without-output.ts';
import { qualifyCalls } from '../../../request/qualify-calls.ts';
import type { Issues } from '../../body/issues.ts';
import type { PlacedItem } from '../read/read-input.ts';

/** Every output follows its call, and a call at the end of the input has an output unless its tool may answer later. */
export function checkCalls(
  items: readonly PlacedItem[],
  tools: readonly Tool[],
  issues: Issues,
): void {
  if (items.every(({ item }) => item.type === 'message')) return;
  const called = new Set<string>();
  for (const { index = 0, item } of items)
    switch (item.type) {
      case 'function-call':
      case 'custom-tool-call':
        called.add(`${item.type}/${item.callId}`);
        break;
      case 'function-call-output':
      case 'custom-tool-call-output': {
        const callType =
          item.type === 'function-call-output' ? 'function-call' : 'custom-tool-call';
        const key = `${callType}/${item.callId}`;
        if (!called.has(key)) refuse(index, `names no earlier ${kindOf(callType)}`, issues);
        break;
      }
      case 'message':
      case 'reasoning':
      case 'native':
    }
  const { open } = callsWithoutOutput(
    items.map(({ item }) => item).map(qualifyCalls(tools)),
    tools,
  );
  for (const { index, call } of open)
    refuse(items[index]?.index ?? 0, `has no ${kindOf(call.type)}_output`, issues);
}

function kindOf(type: 'function-call' | 'custom-tool-call'): string {
  return type === 'function-call' ? 'function_call' : 'custom_tool_call';
}

function refuse(index: number, message: string, issues: Issues): void {
  issues.add(`input[${String(index)}].call_id`, message, 'invalid_prompt');
}
