import type { DomainFilter } from '@sluice/domain-lists';
import type { EngineAdapter, StatedResult } from './adapter.ts';
import type { SearchResult, SearchSettings } from './search.ts';

const urlLengthMax = 2_048;
const titleLengthMax = 300;

/**
 * Returns the results that may be shown: those with an address of the web, once each, of the wanted domains, with a
 * bounded content. A result without an address is left out, and costs no other.
 */
export function takeResults(
  statedResults: readonly StatedResult[],
  adapter: EngineAdapter,
  settings: SearchSettings,
  { permits }: Pick<DomainFilter, 'permits'>,
): SearchResult[] {
  const contentMax = adapter.charactersMax(settings);
  const seen = new Set<string>();
  const results: SearchResult[] = [];
  for (const { url: address, title, content, publishedAt } of statedResults) {
    const url = webAddress(address);
    if (!url || seen.has(url.href) || !permits(url)) continue;
    seen.add(url.href);
    const published = instantOf(publishedAt);
    results.push({
      url: url.href,
      title: cleanText(title, titleLengthMax) || url.hostname,
      content: cleanText(content, contentMax),
      ...(published !== undefined && { publishedAt: published }),
    });
  }
  return results;
}

/** Returns an address of the web without a name and a password. */
export function webAddress(address: unknown): URL | undefined {
  if (typeof address !== 'string' || address.length > urlLengthMax) return undefined;
  const url = URL.parse(address);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  // A name and a password in an address are never part of a source.
  return url.username === '' && url.password === '' ? url : undefined;
}

/** Control characters other than tab and line feed; marks that change the direction of a text. */
const invisible = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Returns a text without control characters and marks of direction, cut to a length. */
export function cleanText(text: unknown, lengthMax: number): string {
  if (typeof text !== 'string') return '';
  // A text is cut before it is cleaned: it may be megabytes.
  const clean = text
    .slice(0, lengthMax * 2)
    .replaceAll(invisible, (mark) => (mark === '\n' || mark === '\t' ? mark : ''))
    .trim();
  const cut = clean.slice(0, lengthMax);
  return (/[\ud800-\udbff]$/u.test(cut) ? cut.slice(0, -1) : cut).toWellFormed();
}

function instantOf(stated: unknown): string | undefined {
  if (typeof stated !== 'string' || stated.length > 64) return undefined;
  const time = Date.parse(stated);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
