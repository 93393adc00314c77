import type { JsonObject } from '@sluice/client-schemas';
import type { InferenceRequest, NativeTool, Tool, ToolChoice } from '@sluice/inference';
import {
  type Endpoint,
  hasNativeTool,
  hasProviderRunTool,
  nativeCallsMaxOf,
} from '@sluice/providers';
import type { NativeTools, NativeToolUse } from '../tools/native.ts';

/**
 * Returns the request as one endpoint gets it: with its own tools in the place of functions that the service runs. The
 * given request, if the endpoint has none of them.
 */
export function withNativeTools(
  request: InferenceRequest,
  natives: NativeTools | undefined,
  endpoint: Endpoint,
): InferenceRequest {
  // A turn without calls needs no tool of the endpoint, and no hold for its calls.
  if (!natives || request.toolChoice.type === 'none') return request;
  const uses = usesAt(request, natives, endpoint);
  if (uses.size === 0) return request;
  const tools = request.tools.map((tool) => nativeOf(tool, uses) ?? tool);
  const native = { ...request, tools, toolChoice: choiceOf(request.toolChoice, uses) };
  const known = nativeCallsMaxOf(native);
  if (known === undefined) return native;
  const nativeCallsMax = Math.min(known, ...[...uses.values()].map(({ callsLeft }) => callsLeft));
  const bounded = tools.map((tool) => withLimit(tool, nativeCallsMax));
  return { ...native, tools: bounded, options: { ...request.options, nativeCallsMax } };
}

interface Use extends Pick<NativeToolUse, 'callsLeft'> {
  readonly form: JsonObject;
}
type Uses = ReadonlyMap<string, Use>;

function usesAt(request: InferenceRequest, natives: NativeTools, endpoint: Endpoint): Uses {
  const names = request.tools.map((tool) =>
    tool.type === 'native' ? tool.tool['name'] : tool.name,
  );
  // The limit of its calls would hold for other tools that the provider runs, too.
  const isShared = hasProviderRunTool(request);
  const kinds = [...natives.values()].map(({ kind }) => kind);
  return new Map(
    [...natives].flatMap(([name, { kind, forms, callsLeft }]): (readonly [string, Use])[] => {
      const form = forms[endpoint.dialect];
      if (!form || !hasNativeTool(endpoint, kind)) return [];
      const isTaken = form['name'] !== undefined && names.includes(form['name']);
      const isTwice = kinds.filter((one) => one === kind).length > 1;
      if (isTaken || isTwice || (isShared && callsLeft < Infinity)) return [];
      return [[name, { form, callsLeft }]];
    }),
  );
}

function nativeOf(tool: Tool, uses: Uses): NativeTool | undefined {
  if (tool.type !== 'function' || tool.namespace) return undefined;
  const use = uses.get(tool.name);
  return use && { type: 'native', tool: use.form, ...(tool.cache && { cache: tool.cache }) };
}

/** Anthropic's API has a limit for each of its tools, in place of one for the request. */
function withLimit(tool: Tool, callsMax: number): Tool {
  if (tool.type !== 'native' || !limited.has(tool.tool['type'])) return tool;
  return { ...tool, tool: { ...tool.tool, max_uses: callsMax } };
}

const limited: ReadonlySet<unknown> = new Set(['web_search_20250305']);

function choiceOf(choice: ToolChoice, uses: Uses): ToolChoice {
  if (choice.type === 'function' && choice.namespace === undefined) {
    const use = uses.get(choice.name);
    return use ? { type: 'native', tool: nameOf(use) } : choice;
  }
  if (choice.type !== 'allowed') return choice;
  const tools = choice.tools.filter(
    ({ name, namespace }) => namespace !== undefined || !uses.has(name),
  );
  const allowed = choice.tools.flatMap(({ name, namespace }) =>
    namespace === undefined ? (uses.get(name) ?? []) : [],
  );
  const natives = [...(choice.natives ?? []), ...allowed.map(nameOf)];
  return { ...choice, tools, ...(natives.length > 0 && { natives }) };
}

/** Returns the words by which a choice names a tool. */
function nameOf({ form: { type, name } }: Use): NativeTool['tool'] {
  return { type, ...(name !== undefined && { name }) };
}
