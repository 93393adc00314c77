import {
  isClientTool,
  isServerTool,
  messagesToolName,
  type JsonObject,
  type MessagesBody,
  type MessagesClientToolBody,
  type MessagesOtherToolBody,
} from '@sluice/client-schemas';
import type { FunctionTool, NativeTool, Tool, ToolChoice } from '@sluice/inference';
import { isDefinedTool } from '@sluice/providers';
import {
  type DeferrableTool,
  isDeferred,
  searchesByRegex,
} from '../service-fields/deferred-tools.ts';
import { cacheOf } from '../service-fields/read-media.ts';

export function readTools({ tools }: MessagesBody): readonly Tool[] {
  return (tools ?? []).map((tool) => (isClientTool(tool) ? readFunction(tool) : readNative(tool)));
}

/** Returns the tools with their places in the body. */
export function placedTools(body: MessagesBody) {
  return readTools(body).map((tool, index) => ({ tool, path: `tools[${String(index)}]` }));
}

/** Returns the tools as far as their loading goes. */
export function deferrableTools({ tools }: MessagesBody): readonly DeferrableTool[] {
  return (tools ?? []).map((tool, index) => {
    const kind = isClientTool(tool) ? 'custom' : tool.type;
    return { path: `tools[${String(index)}]`, kind, isDeferred: isDeferred(tool) };
  });
}

function readFunction(tool: MessagesClientToolBody): FunctionTool {
  const { name, description, input_schema: parameters, strict } = tool;
  const { input_examples: inputExamples, eager_input_streaming: streamsEagerly } = tool;
  return {
    type: 'function',
    name,
    description: description ?? undefined,
    parameters,
    strict: strict ?? undefined,
    ...(tool.defer_loading === true && { isDeferred: true }),
    ...(inputExamples && { inputExamples }),
    ...(typeof streamsEagerly === 'boolean' && { streamsEagerly }),
    ...cacheOf(tool),
  };
}

/** The fields of the tools that Anthropic defines, beside those that let its own tools call them. */
const definedFields: ReadonlySet<string> = new Set([
  'type',
  'name',
  'display_width_px',
  'display_height_px',
  'display_number',
  'enable_zoom',
  'max_characters',
  'input_examples',
]);

function readNative(tool: MessagesOtherToolBody): NativeTool {
  if (searchesByRegex(tool.type)) return { type: 'native', tool: { type: 'service:tool_search' } };
  if (!isDefinedTool(tool.type)) return { type: 'native', tool };
  const kept = Object.entries(tool).filter(([name]) => definedFields.has(name));
  return { type: 'native', tool: Object.fromEntries(kept), ...cacheOf(tool) };
}

/**
 * Returns true for a tool that some endpoint has. Anthropic's models know the tools that Anthropic defines and the
 * client runs. The service runs its own.
 */
export function isServed({ type }: JsonObject): boolean {
  return isDefinedTool(String(type)) || isServerTool(type);
}

/** Reads `tool_choice`; `auto` when absent. */
export function readToolChoice({ tools, tool_choice: choice }: MessagesBody): ToolChoice {
  switch (choice?.type) {
    case 'any':
      return { type: 'required' };
    case 'none':
      return { type: 'none' };
    case 'tool': {
      const named = tools?.find((tool) => messagesToolName(tool) === choice.name);
      if (named && !isClientTool(named))
        return { type: 'native', tool: { type: named.type, name: choice.name } };
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
