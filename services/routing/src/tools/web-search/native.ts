import { isObject, type JsonObject } from '@sluice/client-schemas';
import { type Domain, parseDomainFilter } from '@sluice/domain-lists';
import type { NativeCounterpart, NativeForms, NativeResult } from '../native.ts';
import { type Given, readSettings } from './settings.ts';

/** The search that an endpoint makes itself. */
export const nativeSearch: NativeCounterpart = {
  nativeKind: () => 'web_search',
  itemType: 'web_search_call',
  formsOf,
  isDemanded: (given) => {
    const { engine, search } = readSettings(given);
    return engine === 'native' && search.allowedDomains.length + search.excludedDomains.length > 0;
  },
  callsMaxOf: (given) => readSettings(given).usesMax,
  read,
};

/** Settings that no search of a provider honors: with them the service searches. */
const ownSettings = ['max_characters', 'max_total_results'] as const;

/** Both APIs take domains alone, with all below them. */
const isWildcard = (domain: string) => domain.includes('*');
const textOf = ({ text }: Domain) => text;

function formsOf(given: Given): NativeForms {
  const { engine, search } = readSettings(given);
  const isNative = engine === 'auto' || engine === 'native';
  if (!isNative || ownSettings.some((name) => typeof given[name] === 'number')) return {};
  const lists = parseDomainFilter(search.allowedDomains, search.excludedDomains);
  if (!lists) return {};
  const domains = { allowed: lists.allowed.map(textOf), blocked: lists.blocked.map(textOf) };
  const location = given.user_location;
  const where = location ? { user_location: { ...location, type: 'approximate' } } : {};
  const [openAi, anthropic] = [openAiForm(given, domains), anthropicForm(domains)];
  return {
    ...(openAi && { 'openai-responses': { ...openAi, ...where } }),
    ...(anthropic && { 'anthropic-messages': { ...anthropic, ...where } }),
  };
}

interface Domains {
  readonly allowed: readonly string[];
  readonly blocked: readonly string[];
}

/** OpenAI's search takes hosts that are searched, and none that are left out. */
function openAiForm(
  { search_context_size: size }: Given,
  { allowed, blocked }: Domains,
): JsonObject | undefined {
  if (blocked.length > 0 || allowed.some((one) => isWildcard(one) || one.includes('/')))
    return undefined;
  return {
    type: 'web_search',
    ...(allowed.length > 0 && { filters: { allowed_domains: allowed } }),
    ...(size && { search_context_size: size }),
  };
}

/** Anthropic's search takes one of the lists. */
function anthropicForm({ allowed, blocked }: Domains): JsonObject | undefined {
  if (allowed.length > 0 && blocked.length > 0) return undefined;
  if ([...allowed, ...blocked].some(isWildcard)) return undefined;
  return {
    type: 'web_search_20250305',
    name: 'web_search',
    ...(allowed.length > 0 && { allowed_domains: allowed }),
    ...(blocked.length > 0 && { blocked_domains: blocked }),
  };
}

const blockNames = { name: 'web_search', type: 'web_search_tool_result' } as const;
const failed = { type: 'web_search_tool_result_error', error_code: 'unavailable' };

/** Returns a page as Anthropic's API has it. The endpoint keeps its title and its text to itself. */
function resultOf(source: unknown): readonly JsonObject[] {
  if (!isObject(source) || typeof source['url'] !== 'string') return [];
  const { url } = source;
  return [{ type: 'web_search_result', url, title: url, encrypted_content: '', page_age: null }];
}

function read({ status, action }: JsonObject): NativeResult {
  const isError = status === 'failed';
  const done = isObject(action) ? action : {};
  const { query: asked, url, sources: found } = done;
  // The API also opens a page, or looks for words in it.
  const query = typeof asked === 'string' ? asked : typeof url === 'string' ? url : '';
  const sources = Array.isArray(found) ? (found as readonly unknown[]) : [];
  return {
    arguments: JSON.stringify({ query }),
    output: JSON.stringify(isError ? { error: 'the search failed' } : sources),
    isError,
    block: { ...blockNames, content: isError ? failed : sources.flatMap(resultOf) },
    item: {
      status: isError ? 'failed' : 'completed',
      action: { ...done, type: done['type'] ?? 'search', query, sources },
    },
  };
}
