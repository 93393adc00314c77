import { Type } from 'typebox';
import {
  anyObject,
  anything,
  flag,
  integer,
  listOf,
  mapOf,
  oneOf,
  optional,
  text,
  withOneOf,
  word,
} from '../fields.ts';
import { efforts } from '../service-fields/model-options.ts';

const progress = oneOf('in_progress', 'completed', 'incomplete');
const search = oneOf('in_progress', 'searching', 'completed', 'failed', 'incomplete');
const exitCode = integer(Number.MIN_SAFE_INTEGER);
const kind = <const Name extends string>(name: Name) => ({ type: Type.Literal(name) });

const patch = [
  Type.Object({
    ...kind('apply_patch_call'),
    call_id: word,
    operation: Type.Union([
      Type.Object({ type: oneOf('create_file', 'update_file'), path: word, diff: text() }),
      Type.Object({ type: oneOf('delete_file'), path: word }),
    ]),
    status: oneOf('in_progress', 'completed'),
    id: optional(word),
  }),
  Type.Object({
    ...kind('apply_patch_call_output'),
    call_id: word,
    status: oneOf('completed', 'failed'),
    output: optional(text()),
    id: optional(word),
  }),
] as const;

const searches = [
  Type.Object({
    ...kind('web_search_call'),
    id: word,
    status: search,
    action: optional(
      Type.Union([
        Type.Object({
          ...kind('search'),
          query: optional(text()),
          queries: optional(listOf(text())),
          sources: optional(listOf(anyObject)),
        }),
        Type.Object({ ...kind('open_page'), url: optional(text()) }),
        Type.Object({ ...kind('find_in_page'), pattern: text(), url: text() }),
      ]),
    ),
  }),
  Type.Object({ ...kind('file_search_call'), id: word, queries: listOf(text()), status: search }),
] as const;

const generated = [
  Type.Object({
    ...kind('image_generation_call'),
    id: word,
    status: oneOf('in_progress', 'generating', 'completed', 'failed'),
    result: optional(text()),
    prompt: optional(text()),
  }),
  Type.Object({
    ...kind('code_interpreter_call'),
    id: word,
    status: oneOf('in_progress', 'interpreting', 'completed', 'incomplete', 'failed'),
    code: optional(text()),
    container_id: optional(text()),
    outputs: optional(
      listOf(
        Type.Union([
          Type.Object({ ...kind('logs'), logs: text() }),
          Type.Object({ ...kind('image'), url: text() }),
          Type.Object({
            ...kind('file'),
            id: optional(text()),
            filename: optional(text()),
            media_type: optional(text()),
            size_bytes: optional(integer(0)),
          }),
        ]),
      ),
    ),
  }),
] as const;

/** Its code and message may be null where the provider names none: then the item comes back so. */
const safetyCheck = Type.Object({
  id: text(),
  code: optional(text()),
  message: optional(text()),
});

const computer = [
  Type.Object({
    ...kind('computer_call'),
    call_id: word,
    pending_safety_checks: listOf(safetyCheck),
    status: progress,
    id: optional(word),
  }),
  Type.Object({
    ...kind('computer_call_output'),
    call_id: word,
    output: Type.Object(
      {
        type: oneOf('computer_screenshot'),
        image_url: optional(word),
        file_id: optional(word),
      },
      withOneOf('image_url', 'file_id'),
    ),
    acknowledged_safety_checks: optional(listOf(safetyCheck)),
    status: optional(oneOf('in_progress', 'completed', 'incomplete', 'failed')),
    id: optional(word),
  }),
] as const;

const shells = [
  Type.Object({
    ...kind('local_shell_call'),
    id: word,
    call_id: word,
    status: progress,
    action: Type.Object({
      type: oneOf('exec'),
      command: listOf(text()),
      env: mapOf(text()),
      timeout_ms: optional(integer(0)),
      user: optional(text()),
      working_directory: optional(text()),
    }),
  }),
  Type.Object({
    ...kind('local_shell_call_output'),
    id: word,
    output: text(),
    status: optional(progress),
  }),
  Type.Object({
    ...kind('shell_call'),
    call_id: word,
    action: Type.Object({
      commands: listOf(text()),
      timeout_ms: optional(integer(0)),
      max_output_length: optional(integer(0)),
    }),
    id: optional(word),
    status: optional(progress),
  }),
  Type.Object({
    ...kind('shell_call_output'),
    call_id: word,
    output: listOf(
      Type.Object({
        stdout: text(),
        stderr: text(),
        outcome: Type.Union([
          Type.Object({ ...kind('exit'), exit_code: exitCode }),
          Type.Object(kind('timeout')),
        ]),
      }),
    ),
    id: optional(word),
    status: optional(progress),
    max_output_length: optional(integer(0)),
    container_id: optional(text()),
  }),
] as const;

const mcp = [
  Type.Object({
    ...kind('mcp_list_tools'),
    id: word,
    server_label: word,
    tools: listOf(
      Type.Object({ name: word, input_schema: anything, description: optional(text()) }),
    ),
  }),
  Type.Object({
    ...kind('mcp_approval_request'),
    id: word,
    server_label: word,
    name: word,
    arguments: text(),
  }),
  Type.Object({
    ...kind('mcp_approval_response'),
    approval_request_id: word,
    approve: flag,
    id: optional(word),
    reason: optional(text()),
  }),
  Type.Object({
    ...kind('mcp_call'),
    id: word,
    server_label: word,
    name: word,
    arguments: text(),
    output: optional(text()),
    error: optional(
      Type.Union([
        text(),
        Type.Object({ ...kind('mcp_tool_execution_error'), content: Type.Optional(anything) }),
        Type.Object({
          type: oneOf('http_error', 'mcp_protocol_error'),
          code: optional(exitCode),
          message: optional(text()),
        }),
      ]),
    ),
  }),
] as const;

const others = [
  Type.Object({ ...kind('compaction'), encrypted_content: text(), id: optional(word) }),
  Type.Object({
    ...kind('context_compaction'),
    encrypted_content: optional(text()),
    id: optional(word),
  }),
  Type.Object({
    ...kind('agent_message'),
    author: text(),
    recipient: text(),
    content: listOf(
      Type.Union([
        Type.Object({ ...kind('input_text'), text: text() }),
        Type.Object({
          ...kind('input_image'),
          image_url: optional(text()),
          file_id: optional(text()),
          detail: optional(text()),
        }),
        Type.Object({ ...kind('encrypted_content'), encrypted_content: text() }),
      ]),
    ),
    agent: optional(Type.Object({ agent_name: text() })),
    id: optional(word),
  }),
  Type.Object({
    ...kind('configuration_update'),
    reasoning: Type.Object({ effort: efforts }),
    id: optional(word),
  }),
] as const;

/** Items that one provider's language alone has: forwarded as they came to endpoints that speak it. */
export const nativeItems = [
  ...patch,
  ...searches,
  ...generated,
  ...computer,
  ...shells,
  ...mcp,
  ...others,
] as const;

/** The answer of a tool of the service, as a client sends it again with a later turn. */
export const serviceItem = Type.Object({
  type: oneOf(
    'service:web_search',
    'service:web_fetch',
    'service:datetime',
    'service:code_interpreter',
    'service:file_search',
    'service:image_generation',
    'service:browser_use',
    'service:bash',
    'service:shell',
    'service:text_editor',
    'service:apply_patch',
    'service:tool_search',
    'service:memory',
    'service:mcp',
    'service:experimental__search_models',
    'service:files',
    'service:advisor',
    'service:subagent',
    'service:fusion',
  ),
  status: oneOf('in_progress', 'completed', 'incomplete', 'failed'),
});
