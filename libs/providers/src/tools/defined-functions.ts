import type { FunctionTool, InferenceRequest, NativeTool, ToolChoice } from '@sluice/inference';

type Parameters = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const integer = { type: 'integer' };

/** The fields of the schemas are those that Anthropic documents for the calls. */
const bash: Parameters = {
  type: 'object',
  properties: {
    command: { ...text, description: 'The command to run. Required unless `restart` is true.' },
    restart: { type: 'boolean', description: 'True restarts the shell.' },
  },
};

function textEditor(commands: readonly string[]): Parameters {
  return {
    type: 'object',
    properties: {
      command: { ...text, enum: commands },
      path: { ...text, description: 'Absolute path to a file or a directory.' },
      file_text: { ...text, description: 'For `create`: the content of the file.' },
      insert_line: {
        ...integer,
        description: 'For `insert`: the line after which the text is inserted. 0 is the beginning.',
      },
      insert_text: { ...text, description: 'For `insert`: the text to insert.' },
      old_str: {
        ...text,
        description: 'For `str_replace`: the text to replace. It must occur exactly once.',
      },
      new_str: { ...text, description: 'For `str_replace`: the text in its place.' },
      view_range: {
        type: 'array',
        items: integer,
        description:
          'For `view` of a file: the first and the last line. -1 is the end of the file.',
      },
    },
    required: ['command', 'path'],
  };
}

/** The older versions take the text to insert as `new_str`. */
function olderTextEditor(commands: readonly string[]): Parameters {
  const { properties, ...rest } = textEditor(commands);
  const { insert_text: _later, ...older } = properties as Readonly<Record<string, object>>;
  const newText = { ...text, description: 'For `str_replace` and `insert`: the new text.' };
  return { ...rest, properties: { ...older, new_str: newText } };
}

const memory: Parameters = {
  type: 'object',
  properties: {
    command: { ...text, enum: ['view', 'create', 'str_replace', 'insert', 'delete', 'rename'] },
    path: { ...text, description: 'Path below /memories. For all commands but `rename`.' },
    view_range: {
      type: 'array',
      items: integer,
      description: 'For `view` of a file: the first and the last line.',
    },
    file_text: { ...text, description: 'For `create`: the content of the file.' },
    old_str: { ...text, description: 'For `str_replace`: the text to replace.' },
    new_str: { ...text, description: 'For `str_replace`: the text in its place.' },
    insert_line: { ...integer, description: 'For `insert`: the line after which it is inserted.' },
    insert_text: { ...text, description: 'For `insert`: the text to insert.' },
    old_path: { ...text, description: 'For `rename`: the path now.' },
    new_path: { ...text, description: 'For `rename`: the path to come.' },
  },
  required: ['command'],
};

interface Defined {
  readonly description: string;
  readonly parameters: Parameters;
}

const edits = ['view', 'create', 'str_replace', 'insert'];
const running = 'Runs commands in a shell of the user that stays open between calls.';
const editing = 'Views, creates and edits text files.';

/**
 * The tools that Anthropic defines and the client runs, and that can be functions. The computer is none of them: its
 * calls need a model that was trained to find places in pictures.
 */
const definedTools: ReadonlyMap<unknown, Defined> = new Map([
  ['bash_20241022', { description: running, parameters: bash }],
  ['bash_20250124', { description: running, parameters: bash }],
  [
    'text_editor_20241022',
    { description: editing, parameters: olderTextEditor([...edits, 'undo_edit']) },
  ],
  [
    'text_editor_20250124',
    { description: editing, parameters: olderTextEditor([...edits, 'undo_edit']) },
  ],
  ['text_editor_20250429', { description: editing, parameters: olderTextEditor(edits) }],
  ['text_editor_20250728', { description: editing, parameters: textEditor(edits) }],
  [
    'memory_20250818',
    {
      description:
        'Keeps files below /memories between conversations. View the directory before a task.',
      parameters: memory,
    },
  ],
]);

/** Returns true for a tool that Anthropic defines, and that models of other makers can call as a function. */
export function canBeFunction(kind: unknown): boolean {
  return definedTools.has(kind);
}

/** Returns the request with functions in place of such tools. */
export function withDefinedFunctions(request: InferenceRequest): InferenceRequest {
  const { tools, toolChoice } = request;
  if (!tools.some((tool) => tool.type === 'native' && canBeFunction(tool.tool['type'])))
    return request;
  return {
    ...request,
    tools: tools.map((tool) => (tool.type === 'native' ? (functionOf(tool) ?? tool) : tool)),
    toolChoice: choiceOf(toolChoice, tools),
  };
}

function functionOf({ tool, cache }: NativeTool): FunctionTool | undefined {
  const defined = definedTools.get(tool['type']);
  if (!defined) return undefined;
  const name = String(tool['name']);
  return { type: 'function', name, ...defined, strict: undefined, ...(cache && { cache }) };
}

function choiceOf(choice: ToolChoice, tools: InferenceRequest['tools']): ToolChoice {
  if (choice.type === 'allowed') return allowedOf(choice, tools);
  if (choice.type !== 'native' || !canBeFunction(choice.tool['type'])) return choice;
  return { type: 'function', name: String(choice.tool['name']) };
}

/** A choice among several tools names the tools that a provider defines by their kind. */
function allowedOf(
  { natives = [], ...choice }: Extract<ToolChoice, { type: 'allowed' }>,
  tools: InferenceRequest['tools'],
): ToolChoice {
  const kinds = new Set(natives.map(({ type }) => type).filter(canBeFunction));
  const named = tools.flatMap((tool) =>
    tool.type === 'native' && kinds.has(tool.tool['type'])
      ? [{ name: String(tool.tool['name']) }]
      : [],
  );
  const left = natives.filter(({ type }) => !kinds.has(type));
  return {
    ...choice,
    tools: [...choice.tools, ...named],
    ...(left.length > 0 && { natives: left }),
  };
}
