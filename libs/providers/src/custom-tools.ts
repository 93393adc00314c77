import type { InferenceRequest, InputItem, StreamPart, Tool } from '@sluice/inference';
import { asObject, asString, parseJson } from './json-reader.ts';
import type { StreamReader } from './translation.ts';

/** Upstreams without custom tools get a function with one text parameter. This is its name. */
const customInputField = 'input';

/** The JSON schema of that function. */
const customToolParameters = {
  type: 'object',
  properties: { [customInputField]: { type: 'string' } },
  required: [customInputField],
} as const;

/** A tool of a request in the form of a function. */
export interface PlainFunction {
  readonly name: string;
  readonly description: string | undefined;
  readonly parameters: object | undefined;
  readonly strict?: boolean | undefined;
}

/** Returns the tools as functions. A custom tool becomes a function with one text. Native tools are omitted. */
export function asFunctions(tools: readonly Tool[]): readonly PlainFunction[] {
  return tools.flatMap((tool): readonly PlainFunction[] => {
    if (tool.type === 'native') return [];
    const { name, description } = tool;
    if (tool.type === 'custom') return [{ name, description, parameters: customToolParameters }];
    return [{ name, description, parameters: tool.parameters, strict: tool.strict }];
  });
}

/** Returns the arguments of a call. The input of a custom tool is wrapped in the one text parameter. */
export function argumentsOf(
  call: Extract<InputItem, { type: 'function-call' | 'custom-tool-call' }>,
): string {
  if (call.type === 'function-call') return call.arguments;
  return JSON.stringify({ [customInputField]: call.input });
}

type Change = (parts: readonly StreamPart[]) => readonly StreamPart[];

/**
 * Returns a function that turns calls of such functions back into calls of custom tools. It emits the input at the
 * end of the call, because until then the arguments are incomplete JSON. Unexpected arguments pass unchanged.
 */
export function asCustomCalls({ tools }: InferenceRequest): Change | undefined {
  if (tools.length === 0) return undefined;
  const names = new Set(tools.flatMap((tool) => (tool.type === 'custom' ? [tool.name] : [])));
  if (names.size === 0) return undefined;
  const open = new Map<number, string>();
  const change = (part: StreamPart): readonly StreamPart[] => {
    switch (part.type) {
      case 'tool-call-start':
        if (!names.has(part.name)) return [part];
        open.set(part.part, '');
        return [{ ...part, isCustom: true }];
      case 'tool-call-delta': {
        const text = open.get(part.part);
        if (text === undefined) return [part];
        open.set(part.part, text + part.delta);
        return [];
      }
      case 'tool-call-end': {
        const text = open.get(part.part);
        open.delete(part.part);
        return text === undefined ? [part] : [...inputOf(part.part, text), part];
      }
      case 'finish':
      case 'error':
        // A cut call keeps the input that arrived.
        return [...[...open].flatMap(([number, text]) => inputOf(number, text)), part];
      default:
        return [part];
    }
  };
  return (parts) => parts.flatMap(change);
}

function inputOf(part: number, text: string): readonly StreamPart[] {
  const input = asString(asObject(parseJson(text))?.[customInputField]) ?? text;
  return input === '' ? [] : [{ type: 'tool-call-delta', part, delta: input }];
}

/** Returns a reader that changes the parts before it returns them. */
export function changedReader(reader: StreamReader, change: Change): StreamReader {
  return { push: (data) => change(reader.push(data)), end: () => change(reader.end()) };
}
