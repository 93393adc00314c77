import type { StreamPart, Tool } from '@sluice/inference';
import type { StreamReader } from '../stream-reader.ts';
import { FreeformInput } from './freeform-input.ts';
import type { ToolNames } from './tool-names.ts';

export type ChangeParts = (parts: readonly StreamPart[]) => readonly StreamPart[];

type NamedTool = Exclude<Tool, { type: 'native' }>;
type CallStart = Extract<StreamPart, { type: 'tool-call-start' }>;

/**
 * Returns a function that gives calls their tools back: the namespace, the name, and the text of a freeform tool.
 * Calls of a name that no tool has pass unchanged. Returns undefined if no tool was rendered.
 */
export function restoreCalls(tools: readonly Tool[], names: ToolNames): ChangeParts | undefined {
  const isRendered = (tool: Tool): boolean =>
    tool.type === 'custom' ||
    (tool.type === 'function' &&
      (tool.namespace !== undefined || names.toolOf(tool.name) !== tool));
  if (!tools.some(isRendered)) return undefined;
  const open = new Map<number, FreeformInput>();
  const restore = (part: StreamPart): readonly StreamPart[] => {
    switch (part.type) {
      case 'tool-call-start': {
        const tool = names.toolOf(part.name);
        if (tool?.type === 'custom') open.set(part.part, new FreeformInput());
        return [tool ? restoredStart(part, tool) : part];
      }
      case 'tool-call-delta': {
        const input = open.get(part.part);
        return input ? deltaOf(part.part, input.push(part.delta)) : [part];
      }
      // The text of a freeform tool is read as it comes.
      case 'correction':
        return open.has(part.part) ? [withoutText(part)] : [part];
      case 'tool-call-end': {
        const input = open.get(part.part);
        open.delete(part.part);
        return input ? [...deltaOf(part.part, input.end()), part] : [part];
      }
      case 'finish':
      case 'error':
        return [...[...open].flatMap(([number, input]) => deltaOf(number, input.end())), part];
      default:
        return [part];
    }
  };
  return (parts) => parts.flatMap(restore);
}

function restoredStart(part: CallStart, tool: NamedTool): CallStart {
  return {
    ...part,
    name: tool.name,
    ...(tool.type === 'custom' && { isCustom: true }),
    ...(tool.namespace && { namespace: tool.namespace.name }),
  };
}

function withoutText({
  type,
  part,
  difference,
}: Extract<StreamPart, { type: 'correction' }>): StreamPart {
  return { type, part, difference };
}

function deltaOf(part: number, delta: string): readonly StreamPart[] {
  return delta === '' ? [] : [{ type: 'tool-call-delta', part, delta }];
}

/** Returns a reader that changes the parts before it returns them. */
export function changedReader(reader: StreamReader, change: ChangeParts): StreamReader {
  return {
    push: (data, name) => change(reader.push(data, name)),
    line: (text) => change(reader.line(text)),
    end: () => change(reader.end()),
  };
}
