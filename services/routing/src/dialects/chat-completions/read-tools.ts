import {
  type ChatBody,
  type ChatToolBody,
  isLackingAt,
  isServerTool,
  type JsonObject,
} from '@sluice/client-schemas';
import type { Tool, ToolChoice } from '@sluice/inference';
import { type DeferrableTool, isDeferred } from '../service-fields/deferred-tools.ts';
import { cacheOf } from '../service-fields/read-media.ts';

/** Returns the tools, and the functions of the form before tools. */
export function readTools({ tools, functions }: ChatBody): readonly Tool[] {
  return [
    ...(tools ?? []).flatMap(readTool),
    ...(functions ?? []).map((body) => readFunction(body)),
  ];
}

/** Returns the tools with their places in the body. */
export function placedTools(body: ChatBody) {
  const count = body.tools?.length ?? 0;
  return readTools(body).map((tool, index) => {
    const path = index < count ? `tools[${String(index)}]` : `functions[${String(index - count)}]`;
    return { tool, path };
  });
}

function readTool(tool: ChatToolBody): readonly Tool[] {
  if (tool.type === 'function') return [{ ...readFunction(tool.function), ...cacheOf(tool) }];
  if (tool.type !== 'custom') return [{ type: 'native', tool }];
  const { name, description, format } = tool.custom;
  const grammar =
    format?.type === 'grammar' ? ({ type: 'grammar', ...format.grammar } as const) : undefined;
  return [{ type: 'custom', name, description: description ?? undefined, format: grammar }];
}

type FunctionBody = Extract<ChatToolBody, { type: 'function' }>['function'];

function readFunction({ name, description, parameters, strict }: FunctionBody): Tool {
  return {
    type: 'function',
    name,
    description: description ?? undefined,
    parameters: parameters ?? undefined,
    strict: strict ?? undefined,
  };
}

/** Returns the tools as far as their loading goes. This format has no field for it: clients set it at either place. */
export function deferrableTools({ tools }: ChatBody): readonly DeferrableTool[] {
  return (tools ?? []).map((tool, index) => ({
    path: `tools[${String(index)}]`,
    kind: tool.type,
    isDeferred: isDeferred(tool) || (tool.type === 'function' && isDeferred(tool.function)),
  }));
}

/** Returns true for a hosted tool that runs: endpoints run none in this dialect. */
export function isServed({ type }: JsonObject): boolean {
  return isServerTool(type) && !isLackingAt('chat-completions', type);
}

const auto: ToolChoice = { type: 'auto' };

/** Reads `tool_choice`, or else `function_call`; `auto` when absent. */
export function readToolChoice({
  tool_choice: choice,
  function_call: called,
}: ChatBody): ToolChoice {
  if (choice === undefined || choice === null) {
    if (called === undefined || called === null) return auto;
    return typeof called === 'string' ? { type: called } : { type: 'function', name: called.name };
  }
  if (typeof choice === 'string') return { type: choice };
  switch (choice.type) {
    case 'function':
      return { type: 'function', name: choice.function.name };
    case 'custom':
      return { type: 'custom', name: choice.custom.name };
    case 'allowed_tools': {
      const { mode, tools } = choice.allowed_tools;
      return { type: 'allowed', mode, tools: tools.map((tool) => ({ name: calledName(tool) })) };
    }
    default:
      return { type: 'native', tool: choice };
  }
}

type Named =
  | { readonly type: 'function'; readonly function: { readonly name: string } }
  | { readonly type: 'custom'; readonly custom: { readonly name: string } };

export function calledName(tool: Named): string {
  return tool.type === 'function' ? tool.function.name : tool.custom.name;
}
