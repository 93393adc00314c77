import type { ResultBlock } from '@sluice/inference';
import type { SearchProblem, SearchResult } from '@sluice/web-search';

/** The codes of Anthropic's API for a search that failed. */
export type BlockError =
  | 'invalid_tool_input'
  | 'unavailable'
  | 'max_uses_exceeded'
  | 'too_many_requests';

const names = { name: 'web_search', type: 'web_search_tool_result' } as const;

/** Returns the results as Anthropic's API has them. The text of a page stands where a client does not read it. */
export function resultBlock(results: readonly SearchResult[]): ResultBlock {
  const content = results.map(({ url, title, content: text, publishedAt }) => ({
    type: 'web_search_result',
    url,
    title,
    encrypted_content: Buffer.from(text).toString('base64'),
    page_age: publishedAt?.slice(0, 'YYYY-MM-DD'.length) ?? null,
  }));
  return { ...names, content };
}

export function errorBlock(code: BlockError): ResultBlock {
  return { ...names, content: { type: 'web_search_tool_result_error', error_code: code } };
}

const invalidInput: ReadonlySet<SearchProblem> = new Set([
  'invalid_query',
  'invalid_domain',
  'too_many_domains',
]);

export function blockErrorOf(problem: SearchProblem): BlockError {
  if (problem === 'rate_limited') return 'too_many_requests';
  return invalidInput.has(problem) ? 'invalid_tool_input' : 'unavailable';
}
