import type { NativeItem } from '@sluice/inference';
import { type Fields, isObject, type JsonObject } from './fields.ts';

/** What an item of one dialect alone must have, and what it tells a model of another one. */
interface NativeKind {
  readonly required: readonly string[];
  /** Absent: opaque, other dialects are told nothing. */
  readonly text?: (item: JsonObject) => string;
}

const call: NativeKind = {
  required: ['call_id'],
  text: (item) => `[${String(item['type'])}] ${compact(item['operation'] ?? item['action'] ?? '')}`,
};
const callOutput: NativeKind = {
  required: ['call_id'],
  text: (item) => `[${String(item['type'])}] ${compact(item['output'] ?? item['status'] ?? '')}`,
};
const done: NativeKind = {
  required: ['id'],
  text: (item) => `[${String(item['type'])}] ${compact(withoutHandles(item))}`,
};

const nativeKinds: Readonly<Record<string, NativeKind>> = {
  apply_patch_call: { ...call, required: ['call_id', 'operation', 'status'] },
  apply_patch_call_output: { ...callOutput, required: ['call_id', 'status'] },
  web_search_call: done,
  file_search_call: { ...done, required: ['id', 'queries'] },
  image_generation_call: { required: ['id', 'status'] },
  code_interpreter_call: done,
  computer_call: { ...call, required: ['call_id', 'status'] },
  local_shell_call: { ...call, required: ['id', 'call_id', 'action'] },
  local_shell_call_output: { ...callOutput, required: ['id', 'output'] },
  shell_call: { ...call, required: ['call_id', 'action'] },
  shell_call_output: { ...callOutput, required: ['call_id', 'output'] },
  mcp_list_tools: { required: ['id', 'server_label', 'tools'] },
  mcp_approval_request: { ...done, required: ['id', 'server_label', 'name', 'arguments'] },
  mcp_approval_response: { ...done, required: ['approval_request_id', 'approve'] },
  mcp_call: { ...done, required: ['id', 'server_label', 'name', 'arguments'] },
  compaction: { required: ['encrypted_content'] },
  context_compaction: { required: [] },
  agent_message: {
    required: ['author', 'recipient', 'content'],
    text: (item) => `[message of ${compact(item['author'])}] ${textsOf(item['content'])}`,
  },
  configuration_update: { required: ['reasoning'] },
};

/** undefined: no kind of item that one dialect alone has. */
export function parseNativeItem(
  type: unknown,
  item: JsonObject,
  fields: Fields,
): NativeItem | undefined {
  const kind = typeof type === 'string' ? nativeKindOf(type) : undefined;
  if (!kind) return fields.refuse('type', 'is no known kind of input item');
  for (const name of kind.required) if (!fields.has(name)) fields.refuse(name, 'is required');
  return { type: 'native', item, text: kind.text?.(item) ?? '' };
}

function nativeKindOf(type: string): NativeKind | undefined {
  if (Object.hasOwn(nativeKinds, type)) return nativeKinds[type];
  // What the service's own tools once answered is told as text.
  return type.startsWith('service:') ? done : undefined;
}

function compact(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function withoutHandles({
  type: _type,
  id: _id,
  status: _status,
  ...rest
}: JsonObject): JsonObject {
  return rest;
}

function textsOf(content: unknown): string {
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) =>
      isObject(part) && typeof part['text'] === 'string' ? part['text'] : '',
    )
    .join('');
}
