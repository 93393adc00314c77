import { Type } from 'typebox';
import {
  anyObject,
  field,
  integer,
  kindOf,
  listOf,
  mapOf,
  oneOf,
  optional,
  text,
  withOneOf,
  word,
} from '../fields.ts';
import { agentItems } from './agent-items.ts';
import {
  call_id,
  container_id,
  id,
  item,
  itemId,
  outputMax,
  path,
  state,
  timeout_ms,
  url,
} from './item-fields.ts';

const progress = oneOf('in_progress', 'completed', 'incomplete');
const search = oneOf('in_progress', 'searching', 'completed', 'failed', 'incomplete');
const exitCode = integer(Number.MIN_SAFE_INTEGER);

const patch = [
  item('apply_patch_call', {
    call_id,
    operation: field(
      Type.Union([
        Type.Object({
          type: kindOf('create_file', 'update_file'),
          path,
          diff: field(text(), 'The change of the file.', '+hello'),
        }),
        Type.Object({
          type: kindOf('delete_file'),
          path,
        }),
      ]),
      'The change of a file.',
      { type: 'delete_file', path: 'old.txt' },
    ),
    status: state(oneOf('in_progress', 'completed')),
    id,
  }),
  item('apply_patch_call_output', {
    call_id,
    status: state(oneOf('completed', 'failed')),
    output: optional(text(), 'The output of the call.'),
    id,
  }),
] as const;

const searches = [
  item('web_search_call', {
    id: itemId,
    status: state(search),
    action: optional(
      Type.Union([
        item('search', {
          query: optional(text(), 'The query of the search.', 'weather'),
          queries: optional(listOf(text()), 'The queries of the search.', ['weather']),
          sources: optional(listOf(anyObject), 'The pages that were found.', []),
        }),
        item('open_page', {
          url: optional(text(), 'Address of the page or the file.', 'https://example.com'),
        }),
        item('find_in_page', {
          pattern: field(text(), 'The text to look for.', 'weather'),
          url,
        }),
      ]),
      'What the call does.',
    ),
  }),
  item('file_search_call', {
    id: itemId,
    queries: field(listOf(text()), 'The queries of the search.', ['weather']),
    status: state(search),
  }),
] as const;

const generated = [
  item('image_generation_call', {
    id: itemId,
    status: state(oneOf('in_progress', 'generating', 'completed', 'failed')),
    result: optional(text(), 'The picture in base64.', 'aGVsbG8='),
    prompt: optional(text(), 'What the picture shows.', 'a cat'),
  }),
  item('code_interpreter_call', {
    id: itemId,
    status: state(oneOf('in_progress', 'interpreting', 'completed', 'incomplete', 'failed')),
    code: optional(text(), 'The code that runs.', 'print(1)'),
    container_id,
    outputs: optional(
      listOf(
        Type.Union([
          item('logs', {
            logs: field(text(), 'The output of the code.', 'hello'),
          }),
          item('image', {
            url,
          }),
          item('file', {
            id: optional(text(), 'Id of the file.', 'file-1'),
            filename: optional(text(), 'Name of the file.', 'report.pdf'),
            media_type: optional(text(), 'Media type of the file.', 'text/plain'),
            size_bytes: optional(integer(0), 'Size of the file.', 5),
          }),
        ]),
      ),
      'The outputs of the code.',
      [],
    ),
  }),
] as const;

/** A check. The code and the message are null where the provider names none. */
const safetyCheck = Type.Object({
  id: field(text(), 'Id of the check.', 'check_1'),
  code: optional(text(), 'A name of the check for programs.', 'malicious_instructions'),
  message: optional(text(), 'What to check.', 'The page asks for a password.'),
});

const computer = [
  item('computer_call', {
    call_id,
    pending_safety_checks: field(
      listOf(safetyCheck),
      'Safety checks that a person has to agree to.',
    ),
    status: state(progress),
    id,
  }),
  item('computer_call_output', {
    call_id,
    output: field(
      Type.Object(
        {
          type: kindOf('computer_screenshot'),
          image_url: optional(
            word,
            'Address of the picture, or a base64 data URL.',
            'https://example.com/cat.png',
          ),
          file_id: optional(word, 'Id of a file at the provider.', 'file-1'),
        },
        withOneOf('image_url', 'file_id'),
      ),
      'The output of the call.',
    ),
    acknowledged_safety_checks: optional(
      listOf(safetyCheck),
      'Safety checks that the person agreed to.',
      [],
    ),
    status: optional(state(oneOf('in_progress', 'completed', 'incomplete', 'failed'))),
    id,
  }),
] as const;

const shells = [
  item('local_shell_call', {
    id: itemId,
    call_id,
    status: state(progress),
    action: field(
      Type.Object({
        type: kindOf('exec'),
        command: field(listOf(text()), 'The command and its arguments.', ['ls', '-l']),
        env: field(mapOf(text()), 'The environment variables.'),
        timeout_ms,
        user: optional(text(), 'The user that runs the command.', 'root'),
        working_directory: optional(text(), 'The directory of the command.', '/tmp'),
      }),
      'What the call does.',
    ),
  }),
  item('local_shell_call_output', {
    id: itemId,
    output: field(text(), 'The output of the call.'),
    status: optional(state(progress)),
  }),
  item('shell_call', {
    call_id,
    action: field(
      Type.Object({
        commands: field(listOf(text()), 'The commands, in order.', ['ls']),
        timeout_ms,
        max_output_length: outputMax,
      }),
      'What the call does.',
    ),
    id,
    status: optional(state(progress)),
  }),
  item('shell_call_output', {
    call_id,
    output: field(
      listOf(
        Type.Object({
          stdout: field(text(), 'The output of the command.', 'hello'),
          stderr: field(text(), 'The error output of the command.', ''),
          outcome: field(
            Type.Union([
              item('exit', {
                exit_code: field(exitCode, 'The exit code of the command.', 0),
              }),
              item('timeout', {}),
            ]),
            'How the command ended.',
          ),
        }),
      ),
      'The output of the call.',
    ),
    id,
    status: optional(state(progress)),
    max_output_length: outputMax,
    container_id,
  }),
] as const;

/** Items that one provider's language alone has: forwarded as they came to endpoints that speak it. */
export const nativeItems = [
  ...patch,
  ...searches,
  ...generated,
  ...computer,
  ...shells,
  ...agentItems,
] as const;

/** The answer of a tool of the service, as a client sends it again with a later turn. */
export const serviceItem = Type.Object({
  type: kindOf(
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
  status: state(oneOf('in_progress', 'completed', 'incomplete', 'failed')),
});
