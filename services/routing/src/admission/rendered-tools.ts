import { isDefinedTool } from '@sluice/providers';
import type { InputItem, Tool, ToolAddress, ToolChoice } from '@sluice/inference';

/** Bytes of a custom tool as a function: its parameters. */
const customToolTokens = 128;
/** Bytes around its grammar. */
const grammarTokens = 64;
/** A tool whose name some provider does not take gets another one, of this length at most. */
const renamedTokens = 64;
/** Bytes around the description of a namespace. */
const namespaceFraming = 16;
/** Names that every provider takes as they are. */
const usualName = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

/**
 * Tokens of a tool that Anthropic defines, beside its JSON. The API adds 245 for bash, 700 for the text editor, and 735
 * with a prompt of 499 for the computer. The memory and later versions are not documented: this is three times as much.
 */
const definedToolTokens = 4_096;

/** Returns the bytes of the longest name that a provider gets for a call. */
export function nameTokens(item: InputItem): number {
  return 'name' in item ? addressTokens(item) : 0;
}

function addressTokens({ name, namespace }: ToolAddress): number {
  if (namespace === undefined && usualName.test(name)) return name.length;
  const flat = Buffer.byteLength(name) + Buffer.byteLength(namespace ?? '');
  return Math.max(flat, renamedTokens);
}

/** Returns the bytes that a tool grows by when it becomes a function. Each member may tell the group's description. */
export function renderedTokens(tool: Tool): number {
  if (tool.type === 'native') return isDefinedTool(tool.tool['type']) ? definedToolTokens : 0;
  const { namespace } = tool;
  const grammar = tool.type === 'custom' && tool.format?.type === 'grammar' ? grammarTokens : 0;
  const freeform = tool.type === 'custom' ? customToolTokens + grammar : 0;
  if (!namespace && usualName.test(tool.name)) return freeform;
  const group = namespace ? Buffer.byteLength(namespace.name) + namespaceFraming : 0;
  return freeform + renamedTokens + group;
}

export function choiceTokens(choice: ToolChoice): number {
  const said = Buffer.byteLength(JSON.stringify(choice));
  const named =
    choice.type === 'allowed' ? choice.tools : 'name' in choice ? [choice] : ([] as const);
  return named.reduce((sum, tool) => sum + addressTokens(tool), said);
}
