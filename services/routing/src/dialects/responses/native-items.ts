import type { InputItem } from '@sluice/inference';
import { computerCall, computerCallOutput } from './computer-items.ts';
import { isObject, type JsonObject } from './fields.ts';
import {
  anyObject,
  anything,
  type Check,
  checkFields,
  flag,
  integer,
  kindOf,
  listOf,
  mapOf,
  objectOf,
  oneOf,
  type Place,
  type Shape,
  text,
  textOr,
} from './shape.ts';
import { serviceItemShape } from './service-items.ts';

/** The shape of an item of one dialect alone, and its text for a model of another one. */
interface NativeKind {
  readonly shape: Shape;
  /** Absent: opaque, other dialects are told nothing. */
  readonly text?: (item: JsonObject) => string;
}

type Texts = Required<Pick<NativeKind, 'text'>>;

const call: Texts = {
  text: (item) => `[${String(item['type'])}] ${compact(item['operation'] ?? item['action'] ?? '')}`,
};
const callOutput: Texts = {
  text: (item) => `[${String(item['type'])}] ${compact(item['output'] ?? item['status'] ?? '')}`,
};
const done: Texts = {
  text: (item) => `[${String(item['type'])}] ${compact(withoutHandles(item))}`,
};

const id = text({ min: 1 });
const progress = oneOf('in_progress', 'completed', 'incomplete');
const search = oneOf('in_progress', 'searching', 'completed', 'failed', 'incomplete');
const efforts = oneOf('max', 'xhigh', 'high', 'medium', 'low', 'minimal', 'none');

const operation = kindOf({
  create_file: { 'path*': text({ min: 1 }), 'diff*': text() },
  update_file: { 'path*': text({ min: 1 }), 'diff*': text() },
  delete_file: { 'path*': text({ min: 1 }) },
});

const searchAction = kindOf({
  search: {
    query: text(),
    queries: listOf(text()),
    sources: listOf(anyObject),
  },
  open_page: { url: text() },
  find_in_page: { 'pattern*': text(), 'url*': text() },
});

const interpreted = kindOf({
  logs: { 'logs*': text() },
  image: { 'url*': text() },
  file: { id: text(), filename: text(), media_type: text(), size_bytes: integer(0) },
});

const shellResult = objectOf({
  'stdout*': text(),
  'stderr*': text(),
  'outcome*': kindOf({ exit: { 'exit_code*': integer(Number.MIN_SAFE_INTEGER) }, timeout: {} }),
});

const mcpError: Check = textOr(
  kindOf({
    mcp_tool_execution_error: { content: anything },
    http_error: { code: integer(Number.MIN_SAFE_INTEGER), message: text() },
    mcp_protocol_error: { code: integer(Number.MIN_SAFE_INTEGER), message: text() },
  }),
);

const message = kindOf({
  input_text: { 'text*': text() },
  input_image: { image_url: text(), file_id: text(), detail: text() },
  encrypted_content: { 'encrypted_content*': text() },
});

const kinds: ReadonlyMap<unknown, NativeKind> = new Map<string, NativeKind>([
  [
    'apply_patch_call',
    {
      ...call,
      shape: {
        'call_id*': id,
        'operation*': operation,
        'status*': oneOf('in_progress', 'completed'),
        id,
      },
    },
  ],
  [
    'apply_patch_call_output',
    {
      ...callOutput,
      shape: { 'call_id*': id, 'status*': oneOf('completed', 'failed'), output: text(), id },
    },
  ],
  ['web_search_call', { ...done, shape: { 'id*': id, 'status*': search, action: searchAction } }],
  [
    'file_search_call',
    { ...done, shape: { 'id*': id, 'queries*': listOf(text()), 'status*': search } },
  ],
  [
    'image_generation_call',
    {
      shape: {
        'id*': id,
        'status*': oneOf('in_progress', 'generating', 'completed', 'failed'),
        result: text(),
        prompt: text(),
      },
    },
  ],
  [
    'code_interpreter_call',
    {
      ...done,
      shape: {
        'id*': id,
        'status*': oneOf('in_progress', 'interpreting', 'completed', 'incomplete', 'failed'),
        code: text(),
        container_id: text(),
        outputs: listOf(interpreted),
      },
    },
  ],
  [
    'computer_call',
    {
      shape: computerCall,
      text: (item) => `[computer_call] ${compact(item['actions'] ?? item['action'] ?? '')}`,
    },
  ],
  // A picture would be megabytes of text.
  [
    'computer_call_output',
    { shape: computerCallOutput, text: () => '[computer_call_output] a screenshot' },
  ],
  [
    'local_shell_call',
    {
      ...call,
      shape: {
        'id*': id,
        'call_id*': id,
        'status*': progress,
        'action*': objectOf({
          'type*': oneOf('exec'),
          'command*': listOf(text()),
          'env*': mapOf(text()),
          timeout_ms: integer(0),
          user: text(),
          working_directory: text(),
        }),
      },
    },
  ],
  [
    'local_shell_call_output',
    { ...callOutput, shape: { 'id*': id, 'output*': text(), status: progress } },
  ],
  [
    'shell_call',
    {
      ...call,
      shape: {
        'call_id*': id,
        'action*': objectOf({
          'commands*': listOf(text()),
          timeout_ms: integer(0),
          max_output_length: integer(0),
        }),
        id,
        status: progress,
      },
    },
  ],
  [
    'shell_call_output',
    {
      ...callOutput,
      shape: {
        'call_id*': id,
        'output*': listOf(shellResult),
        id,
        status: progress,
        max_output_length: integer(0),
        container_id: text(),
      },
    },
  ],
  [
    'mcp_list_tools',
    {
      shape: {
        'id*': id,
        'server_label*': id,
        'tools*': listOf(objectOf({ 'name*': id, 'input_schema*': anything, description: text() })),
      },
    },
  ],
  [
    'mcp_approval_request',
    { ...done, shape: { 'id*': id, 'server_label*': id, 'name*': id, 'arguments*': text() } },
  ],
  [
    'mcp_approval_response',
    { ...done, shape: { 'approval_request_id*': id, 'approve*': flag, id, reason: text() } },
  ],
  [
    'mcp_call',
    {
      ...done,
      shape: {
        'id*': id,
        'server_label*': id,
        'name*': id,
        'arguments*': text(),
        output: text(),
        error: mcpError,
      },
    },
  ],
  ['compaction', { shape: { 'encrypted_content*': text(), id } }],
  ['context_compaction', { shape: { encrypted_content: text(), id } }],
  [
    'agent_message',
    {
      shape: {
        'author*': text(),
        'recipient*': text(),
        'content*': listOf(message),
        agent: objectOf({ 'agent_name*': text() }),
        id,
      },
      text: (item) => `[message of ${compact(item['author'])}] ${textsOf(item['content'])}`,
    },
  ],
  ['configuration_update', { shape: { 'reasoning*': objectOf({ 'effort*': efforts }), id } }],
]);

/**
 * An item that one dialect alone has. What a tool of the service once answered is told to the model as the text of
 * it: no upstream knows such an item. undefined: a bad one.
 */
export function parseNativeItem(
  type: unknown,
  item: JsonObject,
  place: Place,
): InputItem | undefined {
  const kind = kinds.get(type);
  const shape = kind?.shape ?? serviceItemShape(type);
  if (!shape) {
    place.issues.add(`${place.path}.type`, 'is no known kind of input item', place.code);
    return undefined;
  }
  checkFields(item, shape, place);
  if (kind) return { type: 'native', item, text: kind.text?.(item) ?? '' };
  return {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: done.text(item) }],
  };
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
