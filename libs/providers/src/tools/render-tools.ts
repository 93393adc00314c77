import {
  addressKey,
  addressOf,
  type InferenceRequest,
  type InputItem,
  type Tool,
  type ToolChoice,
} from '@sluice/inference';
import { describeTool } from './describe-tool.ts';
import { freeformArguments, freeformParameters } from './freeform-input.ts';
import type {
  NamePattern,
  PlainChoice,
  PlainItem,
  PlainRequest,
  PlainTool,
} from '../plain-request.ts';
import { type ChangeParts, restoreCalls } from './restore-calls.ts';
import { ToolNames } from './tool-names.ts';

/** A request as an upstream with functions alone gets it, and the way back. */
export interface RenderedTools {
  readonly request: PlainRequest;
  /** Restores the calls in the parts of an answer. Absent: they are as the upstream sends them. */
  readonly restore?: ChangeParts;
}

/**
 * Renders every tool as a function with one name, in all places: declarations, history and `tool_choice`. A tool of a
 * namespace is called `namespace__name`. A freeform tool takes one text.
 */
export function renderTools(request: InferenceRequest, pattern: NamePattern): RenderedTools {
  if (isPlain(request, pattern)) return { request };
  const names = new ToolNames(request.tools, pattern);
  const tools = plainTools(request, names);
  const items = request.items.map((item) => plainItem(item, names));
  const toolChoice = plainChoice(request.toolChoice, names);
  const restore = restoreCalls(request.tools, names);
  return { request: { ...request, items, tools, toolChoice }, ...(restore && { restore }) };
}

/** Returns true for a request that an upstream with functions alone can be sent as it is. */
function isPlain(request: InferenceRequest, pattern: NamePattern): request is PlainRequest {
  const { tools, items, toolChoice } = request;
  return (
    tools.every(
      (tool) =>
        tool.type === 'native' ||
        (tool.type === 'function' && !tool.namespace && pattern.test(tool.name)),
    ) &&
    items.every(({ type, ...item }) => {
      if (type === 'custom-tool-call' || type === 'custom-tool-call-output') return false;
      return !('name' in item) || (item.namespace === undefined && pattern.test(item.name));
    }) &&
    toolChoice.type !== 'custom' &&
    toolChoice.type !== 'function' &&
    toolChoice.type !== 'allowed'
  );
}

function plainTools(
  { tools, toolChoice }: InferenceRequest,
  names: ToolNames,
): PlainRequest['tools'] {
  const groups = new Set<string>();
  const isAllowed = allowedBy(toolChoice);
  return tools.map((tool) => {
    if (tool.type === 'native') return tool;
    const group = isAllowed(tool) ? tool.namespace?.name : undefined;
    const isFirstOfGroup = group !== undefined && !groups.has(group);
    if (group !== undefined) groups.add(group);
    return plainTool(tool, names.nameOf(addressOf(tool)), isFirstOfGroup);
  });
}

/** An API without `allowed_tools` does not get the other tools, so they cannot be the first of their group. */
function allowedBy(choice: ToolChoice): (tool: Exclude<Tool, { type: 'native' }>) => boolean {
  if (choice.type !== 'allowed') return () => true;
  const keys = new Set(choice.tools.map(addressKey));
  return (tool) => keys.has(addressKey(tool));
}

function plainTool(
  tool: Exclude<Tool, { type: 'native' }>,
  name: string,
  isFirstOfGroup: boolean,
): PlainTool {
  const description = describeTool(tool, { isFirstOfGroup });
  if (tool.type === 'custom') {
    const parameters = freeformParameters;
    return { type: 'function', name, description, parameters, strict: undefined };
  }
  const { namespace: _group, ...rest } = tool;
  return { ...rest, name, description };
}

function plainItem(item: InputItem, names: ToolNames): PlainItem {
  switch (item.type) {
    case 'function-call': {
      const { namespace: _group, ...call } = item;
      return { ...call, name: names.nameOf(item) };
    }
    case 'custom-tool-call': {
      const { callId, input } = item;
      const text = freeformArguments(input);
      return { type: 'function-call', callId, name: names.nameOf(item), arguments: text };
    }
    case 'custom-tool-call-output':
      return { ...item, type: 'function-call-output' };
    case 'message':
    case 'function-call-output':
    case 'reasoning':
    case 'native':
      return item;
  }
}

function plainChoice(choice: ToolChoice, names: ToolNames): PlainChoice {
  switch (choice.type) {
    case 'function':
    case 'custom':
      return { type: 'function', name: names.nameOf(choice) };
    case 'allowed':
      return { ...choice, tools: choice.tools.map((tool) => ({ name: names.nameOf(tool) })) };
    case 'auto':
    case 'none':
    case 'required':
    case 'native':
      return choice;
  }
}
