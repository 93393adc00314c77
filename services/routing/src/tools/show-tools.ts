import { isObject, type JsonObject } from '@sluice/client-schemas';
import {
  addressKey,
  addressOf,
  type InferenceRequest,
  type InputItem,
  type Tool,
  type ToolAddress,
  type ToolChoice,
} from '@sluice/inference';
import { namesOfKind } from '../request/tool-kinds.ts';
import { replayItems } from './replay-items.ts';
import type { ShownTool, ShownTools } from './shown-tool.ts';
import type { ServerTool } from './tool.ts';
import type { ToolTable } from './tool-table.ts';

export interface Shown {
  readonly request: InferenceRequest;
  /** The server tools of the request. If undefined, there are none. */
  readonly tools: ShownTools | undefined;
}

/** The place of a function in the list of tools, by that of the tool of the client. */
type ByKind = ReadonlyMap<string, readonly ShownTool[]>;

/**
 * Renders each server tool of a request as a function that every provider takes: `service:web_search` becomes
 * `service_web_search`. A name that the client uses gets a number. Items of earlier calls become calls and outputs. The
 * model does not see deferred tools if it can search for them.
 */
export function showTools(request: InferenceRequest, table: ToolTable): Shown {
  const { tools, items } = request;
  const isAny = tools.some((tool) => serverToolOf(tool, table) !== undefined);
  if (!isAny) {
    const replayed = replayItems(items, { table, shown: nothingShown });
    if (replayed.items === items) return { request, tools: undefined };
    return { request: { ...request, items: replayed.items }, tools: undefined };
  }
  const isSearched = tools.some((tool) => serverToolOf(tool, table)?.tool.type === searchType);
  const deferred = isSearched ? tools.filter(isDeferred) : [];
  const shown = new Map<string, ShownTool>();
  const rendered = renderAll(tools, { table, shown, deferred });
  const toolChoice = choiceOf(
    request.toolChoice,
    Map.groupBy(shown.values(), ({ kind }) => kind),
  );
  const replayed = replayItems(items, { table, shown });
  const seen = new Set([...replayed.reveals, ...allowedOf(toolChoice)].map(addressKey));
  const visible = rendered.filter(
    (tool) => tool.type === 'native' || !deferred.includes(tool) || seen.has(addressKey(tool)),
  );
  const servedFunctions = [...shown.keys()];
  const named = namedCalls(replayed.items, shown);
  const changed = { tools: visible, items: named, toolChoice, servedFunctions };
  return { request: { ...request, ...changed }, tools: shown.size > 0 ? shown : undefined };
}

const nothingShown: ShownTools = new Map();

/** The tools whose calls are items of OpenAI's API, too. */
const toolOfCall: ReadonlyMap<unknown, string> = new Map([
  ['apply_patch_call', 'service:apply_patch'],
  ['shell_call', 'service:shell'],
]);

/** Names the functions that stand for the tools of calls in OpenAI's API. */
function namedCalls(items: readonly InputItem[], shown: ShownTools): readonly InputItem[] {
  return items.map((item) => {
    const type = item.type === 'native' && toolOfCall.get(item.item['type']);
    const [toolName] = type ? ([...shown].find(([, one]) => one.tool.type === type) ?? []) : [];
    return toolName === undefined ? item : { ...item, toolName };
  });
}

const searchType = 'service:tool_search';

function isDeferred(tool: Tool): boolean {
  return tool.type !== 'native' && tool.isDeferred === true;
}

/** Returns the tools that may be called at once, also deferred ones. */
function allowedOf(choice: ToolChoice): readonly ToolAddress[] {
  return choice.type === 'allowed' ? choice.tools : [];
}

interface Rendering {
  readonly table: ToolTable;
  readonly shown: Map<string, ShownTool>;
  readonly deferred: readonly Tool[];
}

/** Renders the server tools, and notes them in `shown`. */
function renderAll(tools: readonly Tool[], { table, shown, deferred }: Rendering): readonly Tool[] {
  const names = new Set(tools.flatMap((tool) => (tool.type === 'native' ? [] : tool.name)));
  const functions = tools.filter((tool) => tool.type === 'function');
  const instances = new Map<ServerTool, number>();
  return tools.map((tool): Tool => {
    const found = serverToolOf(tool, table);
    if (!found) return tool;
    const instance = instances.get(found.tool) ?? 0;
    instances.set(found.tool, instance + 1);
    const { name: wanted, description, parameters } = found.tool.asFunction(found.settings);
    const name = freeName(wanted ?? found.tool.type.replace(':', '_'), names);
    names.add(name);
    const strict = undefined;
    const plain = { ...parameters };
    const fields = { type: 'function', name, description, parameters: plain, strict } as const;
    if (found.tool.isRunByClient?.(found.settings)) return fields;
    const forms = found.tool.native?.formsOf(found.settings, found.kind);
    const native = forms && Object.keys(forms).length > 0 && { forms };
    shown.set(name, { ...found, instance, shown: fields, deferred, functions, ...native });
    return fields;
  });
}

function serverToolOf(tool: Tool, table: ToolTable) {
  if (tool.type !== 'native') return undefined;
  const kind = String(tool.tool['type']);
  const found = table.get(kind);
  const settings = settingsOf(tool.tool);
  // The client runs it, and the endpoints that know it tell the client.
  if (!found || found.isOfClient?.(settings, kind)) return undefined;
  return { tool: found, kind, settings };
}

/** The tools of the service have their settings in `parameters`, and those with a shorter name beside it. */
function settingsOf({ type, ...rest }: JsonObject): JsonObject {
  if (!String(type).startsWith('service:')) return rest;
  const { parameters } = rest;
  return isObject(parameters) ? parameters : {};
}

function freeName(usual: string, names: ReadonlySet<string>): string {
  for (let number = 2, name = usual; ; number += 1) {
    if (!names.has(name)) return name;
    name = `${usual}_${String(number)}`;
  }
}

/** A choice of a kind forces the first tool of it. */
function choiceOf(choice: ToolChoice, byKind: ByKind): ToolChoice {
  if (choice.type === 'native') {
    const [first] = shownOf(byKind, choice.tool['type']);
    return first ? { type: 'function', ...addressOf(first.shown) } : choice;
  }
  if (choice.type !== 'allowed' || !choice.natives) return choice;
  const { natives, tools, ...rest } = choice;
  const named = natives.flatMap((tool): readonly ToolAddress[] =>
    shownOf(byKind, tool['type']).map(({ shown }) => addressOf(shown)),
  );
  const left = natives.filter((tool) => shownOf(byKind, tool['type']).length === 0);
  return { ...rest, tools: [...tools, ...named], ...(left.length > 0 && { natives: left }) };
}

/** Returns the tools that a kind names, under any of its names. */
function shownOf(byKind: ByKind, kind: unknown): readonly ShownTool[] {
  return namesOfKind(String(kind)).flatMap((name) => byKind.get(name) ?? []);
}
