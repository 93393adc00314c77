import type { InferenceRequest } from '@sluice/inference';
import { isRunByProvider } from './abilities.ts';

/** Calls of tools that a provider runs, if the client names no limit. A guess (decision 82). */
const callsUnasked = 3;

/** Returns true for an item of a search that the provider charges for. It may also open a page, or look for words. */
export function isSearchItem({ type, status, action }: Readonly<Record<string, unknown>>): boolean {
  if (type !== 'web_search_call' || status === 'failed') return false;
  const kind = action !== null && typeof action === 'object' && 'type' in action && action.type;
  return kind === 'search';
}

type WithTools = Pick<InferenceRequest, 'tools' | 'options'>;

/** Returns true if a provider runs a tool of the request, and so reads the input again. */
export function hasProviderRunTool({ tools }: Pick<WithTools, 'tools'>): boolean {
  return tools.some((tool) => tool.type === 'native' && isRunByProvider(tool.tool['type']));
}

/**
 * Returns the most calls of tools that a provider may run for the request. The upstream is sent this number, the client
 * reads it in its answer, and the hold is for it. undefined: there is no bound, since the provider runs none.
 */
export function nativeCallsMaxOf(request: WithTools): number | undefined {
  return (
    request.options?.nativeCallsMax ?? (hasProviderRunTool(request) ? callsUnasked : undefined)
  );
}
