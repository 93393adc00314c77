import type { CustomTool, FunctionTool, ToolNamespace } from '@sluice/inference';

/** Every member of a group has a description of the group up to this length, and only the first a longer one. */
const repeatedCharactersMax = 256;

/** Describes a tool as a function, with what a function cannot say otherwise: its group, and the form of its input. */
export function describeTool(
  tool: FunctionTool | CustomTool,
  { isFirstOfGroup }: { readonly isFirstOfGroup: boolean },
): string | undefined {
  const texts = [
    tool.namespace && groupText(tool.namespace, isFirstOfGroup),
    tool.description,
    tool.type === 'custom' ? grammarText(tool) : undefined,
  ].filter((text) => text !== undefined && text !== '');
  return texts.length > 0 ? texts.join('\n\n') : tool.description;
}

function groupText(
  { name, description = '' }: ToolNamespace,
  isFirst: boolean,
): string | undefined {
  if (description === '') return undefined;
  const isTold = isFirst || description.length <= repeatedCharactersMax;
  return isTold ? `${name}: ${description}` : undefined;
}

function grammarText({ format }: CustomTool): string | undefined {
  if (format?.type !== 'grammar') return undefined;
  const { syntax, definition } = format;
  return `The input must match this ${syntax === 'lark' ? 'Lark grammar' : 'regular expression'}:\n${definition}`;
}
