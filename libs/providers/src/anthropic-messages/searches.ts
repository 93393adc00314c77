import type { StreamPart } from '@sluice/inference';
import { asArray, asObject, asString, parseJson, type JsonObject } from '../json-reader.ts';

/** A search of the API's own tool whose input is being written. */
export interface WrittenSearch {
  readonly id: string;
  /** JSON text. Empty: there is no input yet. */
  readonly input: string;
}

/** A search whose result has not come yet. */
export interface RunningSearch {
  readonly part: number;
  readonly id: string;
  readonly query: string;
}

const names = { name: 'web_search', type: 'web_search_tool_result' } as const;

/** Begins the item of a search, whose input is whole. */
export function beginSearch(
  { id, input }: WrittenSearch,
  part: number,
): readonly [RunningSearch, StreamPart] {
  const query = asString(asObject(parseJson(input))?.['query']) ?? '';
  const search = { part, id, query };
  return [search, { type: 'native-start', part, item: itemOf(search, 'in_progress', []) }];
}

/** Ends the item of a search. Without a result it has failed. */
export function endSearch(search: RunningSearch, content: unknown): StreamPart {
  const { part } = search;
  const isFound = Array.isArray(content);
  const sources = asArray(content).flatMap((result) => asString(asObject(result)?.['url']) ?? []);
  const item = itemOf(search, isFound ? 'completed' : 'failed', sources);
  const unknown = { type: 'web_search_tool_result_error', error_code: 'unavailable' };
  return { type: 'native-end', part, item, block: { ...names, content: content ?? unknown } };
}

function itemOf({ id, query }: RunningSearch, status: string, urls: readonly string[]): JsonObject {
  const sources = urls.map((url) => ({ type: 'url', url }));
  return { type: 'web_search_call', id, status, action: { type: 'search', query, sources } };
}
