import type { WantedBuiltinFilter, WantedCustomFilter } from './commands.ts';
import {
  type BuiltinFilter,
  type BuiltinSlug,
  builtinSlugs,
  type CustomFilter,
  type FilterAction,
  type ScanScope,
} from './events.ts';
import { oneOf, type Refuse } from './one-of.ts';

const actions: readonly FilterAction[] = ['redact', 'block', 'flag'];
const scanScopes: readonly ScanScope[] = ['user_only', 'all_messages'];
const customFiltersMax = 100;
const patternCharactersMax = 100_000;
/** The bound for all patterns together keeps an event and a page of guardrails small enough to send. */
const patternBytesMax = 400_000;
const labelCharactersMax = 100;
/** PostgreSQL holds no zero byte, and half a pair is no text. */
const unwritable = /[\0\p{Cs}]/u;
const unwritableInLabel = /[\p{Cc}\p{Cs}]/u;

/** Each slug at most once. */
export function readBuiltinFilters(
  filters: readonly WantedBuiltinFilter[] | null | undefined,
  refuse: Refuse,
): readonly BuiltinFilter[] | null | undefined {
  if (!filters) return filters;
  const seen = new Set<string>();
  const read: BuiltinFilter[] = [];
  filters.forEach((filter, index) => {
    const path = `content_filter_builtins.${index}`;
    const slug = oneOf(builtinSlugs, filter.slug, `${path}.slug`, refuse);
    const action = oneOf(actions, filter.action, `${path}.action`, refuse);
    if (seen.has(filter.slug)) refuse(`${path}.slug`, 'is named twice');
    seen.add(filter.slug);
    if (slug === null || action === null) return;
    read.push({ slug, action, scanScope: readScope(slug, filter.scanScope, path, refuse) });
  });
  return read;
}

function readScope(
  slug: BuiltinSlug,
  wanted: string | null,
  path: string,
  refuse: Refuse,
): ScanScope | null {
  if (slug === 'regex-prompt-injection')
    return wanted === null
      ? 'all_messages'
      : oneOf(scanScopes, wanted, `${path}.scan_scope`, refuse);
  if (wanted !== null) refuse(`${path}.scan_scope`, 'is for regex-prompt-injection only');
  return null;
}

/** Reads the custom filters. It does not check that a pattern is a regular expression that can run. */
export function readCustomFilters(
  filters: readonly WantedCustomFilter[] | null | undefined,
  refuse: Refuse,
): readonly CustomFilter[] | null | undefined {
  if (!filters) return filters;
  if (filters.length > customFiltersMax)
    refuse('content_filters', `must have at most ${customFiltersMax} entries`);
  const read: CustomFilter[] = [];
  let bytes = 0;
  filters.forEach(({ pattern, label, ...filter }, index) => {
    const path = `content_filters.${index}`;
    const action = oneOf(actions, filter.action, `${path}.action`, refuse);
    if (pattern === '' || pattern.length > patternCharactersMax)
      refuse(`${path}.pattern`, `must have 1 to ${patternCharactersMax} characters`);
    if (unwritable.test(pattern)) refuse(`${path}.pattern`, 'must be text that can be written');
    if (label !== null && (label.length > labelCharactersMax || unwritableInLabel.test(label)))
      refuse(`${path}.label`, `must have at most ${labelCharactersMax} characters, all writable`);
    bytes += utf8BytesAtMost(pattern);
    if (action !== null) read.push({ pattern, action, label });
  });
  if (bytes > patternBytesMax)
    refuse('content_filters', `must have at most ${patternBytesMax} bytes of patterns altogether`);
  return read;
}

/** Exact but for surrogate pairs, which take 4 bytes and are counted as 6. */
function utf8BytesAtMost(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    bytes += unit < 0x80 ? 1 : unit < 0x8_00 ? 2 : 3;
  }
  return bytes;
}
