import { createHash } from 'node:crypto';
import type { JsonObject } from '@sluice/client-schemas';
import { type InputItem, textOf } from '@sluice/inference';
import { openCalls } from './workers.ts';

/**
 * Returns a worker's conversation whose open calls have ids that no other call of the client's conversation has: each
 * provider counts its own.
 */
export function withOwnIds(items: readonly InputItem[], usageId: string): readonly InputItem[] {
  const open = new Set(openCalls(items).map(({ callId }) => callId));
  return items.map((item) =>
    item.type === 'function-call' && open.has(item.callId)
      ? { ...item, callId: ownId(usageId, item.callId) }
      : item,
  );
}

const idCharacters = 24;

function ownId(usageId: string, callId: string): string {
  const hash = createHash('sha256').update(`${usageId}/${callId}`).digest('base64url');
  return `call_${hash.slice(0, idCharacters)}`;
}

/** Returns a conversation in the words of `POST /responses`, which read it again. */
export function wireItems(items: readonly InputItem[]): readonly JsonObject[] {
  return items.map(wireItem);
}

function wireItem(item: InputItem): JsonObject {
  switch (item.type) {
    case 'message': {
      const type = item.role === 'assistant' ? 'output_text' : 'input_text';
      const content = [{ type, text: textOf(item.content) }];
      return { type: 'message', role: item.role, content, ...phaseOf(item) };
    }
    case 'function-call':
      return { type: 'function_call', ...namedCall(item), arguments: item.arguments };
    case 'custom-tool-call':
      return { type: 'custom_tool_call', ...namedCall(item), input: item.input };
    case 'function-call-output':
      return { type: 'function_call_output', call_id: item.callId, output: outputOf(item) };
    case 'custom-tool-call-output':
      return { type: 'custom_tool_call_output', call_id: item.callId, output: outputOf(item) };
    case 'reasoning':
      return {
        type: 'reasoning',
        id: item.id,
        summary: item.summary.map((text) => ({ type: 'summary_text', text })),
        content: item.content.map((text) => ({ type: 'reasoning_text', text })),
        ...(item.encrypted !== undefined && { encrypted_content: item.encrypted }),
        ...(item.signature !== undefined && { signature: item.signature }),
        ...(item.format !== undefined && { format: item.format }),
      };
    case 'native':
      return item.item;
  }
}

type Of<Type extends InputItem['type']> = Extract<InputItem, { type: Type }>;

function phaseOf({ phase }: Of<'message'>): JsonObject {
  return phase === undefined ? {} : { phase };
}

function namedCall({ callId, name, namespace }: Of<'function-call' | 'custom-tool-call'>) {
  return { call_id: callId, name, ...(namespace !== undefined && { namespace }) };
}

function outputOf({ output }: Of<'function-call-output' | 'custom-tool-call-output'>): string {
  return typeof output === 'string' ? output : textOf(output);
}
