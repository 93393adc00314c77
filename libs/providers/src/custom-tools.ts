import type { InferenceRequest, StreamPart } from '@sluice/inference';
import { asObject, asString, parseJson } from './json-reader.ts';
import type { StreamReader } from './translation.ts';

/** For upstreams without custom tools: there such a tool is a function that takes one text. */
export const customInputField = 'input';

/** The JSON schema of that function. */
export const customToolParameters = {
  type: 'object',
  properties: { [customInputField]: { type: 'string' } },
  required: [customInputField],
} as const;

/** The arguments with which that function was called. */
export function customToolArguments(input: string): string {
  return JSON.stringify({ [customInputField]: input });
}

type Change = (parts: readonly StreamPart[]) => readonly StreamPart[];

/**
 * Turns calls of such functions back into calls of custom tools. The text of one is told at its end:
 * before that it is a piece of JSON. Arguments that are not what was asked for are told as they are.
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
        // A cut call keeps the input that came.
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

/** A reader whose parts are changed before they are told. */
export function changedReader(reader: StreamReader, change: Change): StreamReader {
  return { push: (data) => change(reader.push(data)), end: () => change(reader.end()) };
}
