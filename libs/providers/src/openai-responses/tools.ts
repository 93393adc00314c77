import {
  addressKey,
  type CustomTool,
  type FunctionTool,
  type Tool,
  type ToolAddress,
  type ToolChoice,
} from '@sluice/inference';

type NamedTool = FunctionTool | CustomTool;

/** Returns the tools in the wire format. The members of a namespace stand in the place of its first one. */
export function wireTools(tools: readonly Tool[]): readonly unknown[] {
  const groups = new Map<string, unknown[]>();
  return tools.flatMap((tool): readonly unknown[] => {
    if (tool.type === 'native') return [tool.tool];
    const { namespace } = tool;
    if (!namespace) return [wireTool(tool)];
    const known = groups.get(namespace.name);
    if (known) {
      known.push(wireTool(tool));
      return [];
    }
    const members = [wireTool(tool)];
    groups.set(namespace.name, members);
    return [{ type: 'namespace', ...namespace, tools: members }];
  });
}

function wireTool(tool: NamedTool): unknown {
  const later = tool.isAsync && { async: true };
  if (tool.type === 'custom') {
    const { name, description, format } = tool;
    return { type: 'custom', name, description, format, ...later };
  }
  const { name, description, parameters, strict, outputSchema, allowedCallers } = tool;
  return {
    type: 'function',
    name,
    description,
    parameters,
    strict,
    output_schema: outputSchema,
    allowed_callers: allowedCallers,
    ...later,
  };
}

export function wireToolChoice(choice: ToolChoice, tools: readonly Tool[]): unknown {
  switch (choice.type) {
    case 'function':
    case 'custom':
      return named(choice, choice.type, tools);
    case 'native':
      return choice.tool;
    case 'allowed':
      return {
        type: 'allowed_tools',
        mode: choice.mode,
        tools: [
          ...choice.tools.map((tool) => named(tool, kindOf(tool, tools), tools)),
          ...(choice.natives ?? []),
        ],
      };
    case 'auto':
      return undefined;
    case 'none':
    case 'required':
      return choice.type;
  }
}

/** A choice names its namespace only if the name alone is not clear, because the API documents the name alone. */
function named(
  { namespace, name }: ToolAddress,
  type: NamedTool['type'],
  tools: readonly Tool[],
): object {
  const isClear = tools.filter((tool) => tool.type !== 'native' && tool.name === name).length < 2;
  return { type, name, ...(!isClear && namespace !== undefined && { namespace }) };
}

function kindOf(address: ToolAddress, tools: readonly Tool[]): NamedTool['type'] {
  const key = addressKey(address);
  const isCustom = tools.some((tool) => tool.type === 'custom' && addressKey(tool) === key);
  return isCustom ? 'custom' : 'function';
}
