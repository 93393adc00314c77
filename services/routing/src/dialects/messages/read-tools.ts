import type { MessagesBody, MessagesToolBody } from '@sluice/client-schemas';
import type { Tool, ToolChoice } from '@sluice/inference';
import { type DeferrableTool, isDeferred } from '../service-fields/deferred-tools.ts';
import { cacheOf } from '../service-fields/read-media.ts';

type ClientTool = Extract<MessagesToolBody, { input_schema: unknown }>;

/** True for a tool that the client runs, of which it tells the schema. */
export function isClientTool(tool: MessagesToolBody): tool is ClientTool {
  return (tool.type ?? 'custom') === 'custom';
}

/** Returns undefined for a hosted tool without a name. */
export function nameOf(tool: MessagesToolBody): unknown {
  return 'name' in tool ? tool.name : undefined;
}

export function readTools({ tools }: MessagesBody): readonly Tool[] {
  return (tools ?? []).map((tool) => {
    if (!isClientTool(tool)) return { type: 'native', tool };
    const { name, description, input_schema: parameters, strict } = tool;
    return {
      type: 'function',
      name,
      description: description ?? undefined,
      parameters,
      strict: strict ?? undefined,
      ...cacheOf(tool),
    };
  });
}

/** Returns the tools as far as their loading goes. */
export function deferrableTools({ tools }: MessagesBody): readonly DeferrableTool[] {
  return (tools ?? []).map((tool, index) => {
    const kind = isClientTool(tool) ? 'custom' : tool.type;
    return { path: `tools[${String(index)}]`, kind, isDeferred: isDeferred(tool) };
  });
}

/** Returns true for a kind of hosted tool that some endpoint runs: there is none in this dialect. */
export function isServedKind(): boolean {
  return false;
}

/** Reads `tool_choice`; `auto` when absent. */
export function readToolChoice({ tools, tool_choice: choice }: MessagesBody): ToolChoice {
  switch (choice?.type) {
    case 'any':
      return { type: 'required' };
    case 'none':
      return { type: 'none' };
    case 'tool': {
      const named = tools?.find((tool) => nameOf(tool) === choice.name);
      if (named && !isClientTool(named)) return { type: 'native', tool: named };
      return { type: 'function', name: choice.name };
    }
    case 'auto':
    case undefined:
      return { type: 'auto' };
  }
}

/** Returns undefined if the client does not say whether several tools may be called at once. */
export function readParallel({ tool_choice: choice }: MessagesBody): boolean | undefined {
  if (!choice || !('disable_parallel_tool_use' in choice)) return undefined;
  const { disable_parallel_tool_use: isSerial } = choice;
  return typeof isSerial === 'boolean' ? !isSerial : undefined;
}
