import {
  anyObject,
  anything,
  integer,
  kindOf,
  listOf,
  mapOf,
  objectOf,
  oneOf,
  type Shape,
  text,
} from './shape.ts';

const ended = oneOf('in_progress', 'completed', 'incomplete');
const endedOrFailed = oneOf('in_progress', 'completed', 'incomplete', 'failed');
const exitCode = integer(Number.MIN_SAFE_INTEGER);

const done = (shape: Shape = {}): Shape => ({ 'status*': ended, id: text(), ...shape });
const ran = (shape: Shape): Shape => ({
  'status*': endedOrFailed,
  id: text(),
  error: text(),
  call_id: text(),
  ...shape,
});
const searched = kindOf({ search: { 'query*': text(), sources: listOf(anyObject) } });

/** The answers of the service's tools, as a client sends them again with a later turn. */
const shapes: ReadonlyMap<unknown, Shape> = new Map<string, Shape>([
  ['service:web_search', done({ action: searched })],
  [
    'service:web_fetch',
    done({ url: text(), title: text(), content: text(), httpStatus: integer(0) }),
  ],
  ['service:datetime', done({ 'datetime*': text(), 'timezone*': text() })],
  [
    'service:code_interpreter',
    done({ code: text(), language: text(), stdout: text(), stderr: text(), exitCode }),
  ],
  ['service:file_search', done({ queries: listOf(text()) })],
  ['service:image_generation', done({ prompt: text(), imageUrl: text(), imageB64: text() })],
  ['service:browser_use', done({ action: text(), screenshotB64: text() })],
  [
    'service:bash',
    ran({ command: text(), stdout: text(), stderr: text(), exitCode, files: listOf(anyObject) }),
  ],
  [
    'service:shell',
    ran({
      action: objectOf({ 'commands*': listOf(text()) }),
      output: listOf(anyObject),
      files: listOf(anyObject),
    }),
  ],
  [
    'service:text_editor',
    done({ command: oneOf('view', 'create', 'str_replace', 'insert'), filePath: text() }),
  ],
  ['service:apply_patch', done({ call_id: text(), operation: anyObject })],
  ['service:tool_search', done({ query: text() })],
  [
    'service:memory',
    done({ action: oneOf('read', 'write', 'delete'), key: text(), value: anything }),
  ],
  ['service:mcp', done({ serverLabel: text(), toolName: text() })],
  ['service:experimental__search_models', done({ query: text(), arguments: text() })],
  ['service:files', done({ operation: text(), file_id: text(), filename: text(), error: text() })],
  ['service:advisor', ran({ model: text(), prompt: text(), advice: text() })],
  ['service:subagent', ran({ task_name: text(), task_description: text(), outcome: text() })],
  [
    'service:fusion',
    done({
      responses: listOf(objectOf({ 'model*': text(), content: text() })),
      analysis: mapOf(anything),
      sources: listOf(objectOf({ 'url*': text(), 'title*': text() })),
      failed_models: listOf(objectOf({ 'model*': text(), 'error*': text() })),
    }),
  ],
]);

/** undefined: no tool of the service answers with such an item. */
export function serviceItemShape(type: unknown): Shape | undefined {
  return shapes.get(type);
}
