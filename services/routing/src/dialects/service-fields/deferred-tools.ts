import type { Issues } from '../body/issues.ts';

/** The tools that find deferred ones: `service:tool_search` and its names in the formats of others. */
const search = /^(?:service:)?tool_search(?:_tool_[a-z0-9_]+)?$/;

/** A tool of the body, as far as its time of loading goes. */
export interface DeferrableTool {
  /** The place of the tool in the body, such as `tools[0]`. */
  readonly path: string;
  readonly kind: string;
  readonly isDeferred: boolean;
  /** It finds others, and the client runs it. */
  readonly isOfClient?: boolean;
}

const served: ReadonlySet<string> = new Set(['service:tool_search', 'tool_search']);
const regexSearch = /^tool_search_tool_regex(?:_20251119)?$/;

/** Returns true for the search of Anthropic's API that the service runs. */
export function searchesByRegex(kind: string): boolean {
  return regexSearch.test(kind);
}

/** Returns true if the service finds deferred tools for the model. */
export function isSearched(tools: readonly DeferrableTool[]): boolean {
  return tools.some(
    ({ kind, isOfClient }) => (served.has(kind) && isOfClient !== true) || searchesByRegex(kind),
  );
}

/** Refuses a choice that would call a tool which is not found yet, or none. */
export function checkDeferredChoice(
  tools: readonly DeferrableTool[],
  isFree: boolean,
  issues: Issues,
): void {
  if (!isFree && isSearched(tools) && tools.some((tool) => tool.isDeferred))
    issues.add('tool_choice', 'must be auto or allowed_tools while tools are deferred');
}

export function findsTools(kind: string): boolean {
  return search.test(kind);
}

/** Returns true for a tool of any form that has the flag, hosted ones among them. */
export function isDeferred(tool: object): boolean {
  return 'defer_loading' in tool && tool.defer_loading === true;
}

/** Refuses deferred tools that no tool finds, and a deferred tool that is to find others. */
export function checkDeferred(tools: readonly DeferrableTool[], issues: Issues): void {
  const deferred = tools.filter((tool) => tool.isDeferred);
  if (deferred.length === 0) return;
  const isFindable = tools.some(({ kind }) => findsTools(kind));
  for (const { path, kind } of deferred)
    if (findsTools(kind))
      issues.add(`${path}.defer_loading`, 'cannot be true for the tool that finds the others');
    else if (!isFindable)
      issues.add(`${path}.defer_loading`, 'needs the tool service:tool_search beside it');
}

/** Says that the model sees deferred tools from the start, because no search of the service finds them. */
export function deferredWarning(tools: readonly DeferrableTool[]): string | undefined {
  return !isSearched(tools) && tools.some((tool) => tool.isDeferred)
    ? 'defer_loading has no effect: all tools are offered at once'
    : undefined;
}
