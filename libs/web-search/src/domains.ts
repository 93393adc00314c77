import type { SearchSettings } from './search.ts';

/** Returns true if a URL is of a domain or below it. A path of the pattern must begin the path of the URL. */
function isWithin(url: URL, pattern: string): boolean {
  const [host = '', ...path] = pattern.toLowerCase().split('/');
  const name = host.startsWith('*.') ? host.slice(2) : host;
  const isHost = url.hostname === name || url.hostname.endsWith(`.${name}`);
  if (!isHost || path.length === 0) return isHost;
  const prefix = `/${path.join('/')}`.replace(/\/+$/u, '');
  const place = url.pathname.toLowerCase();
  return place === prefix || place.startsWith(`${prefix}/`);
}

/** Returns true if the domain lists let a result through, whatever the engine did with them. */
export function isAllowed(
  url: URL,
  { allowedDomains, excludedDomains }: Pick<SearchSettings, 'allowedDomains' | 'excludedDomains'>,
): boolean {
  if (excludedDomains.some((pattern) => isWithin(url, pattern))) return false;
  return allowedDomains.length === 0 || allowedDomains.some((pattern) => isWithin(url, pattern));
}

/**
 * Returns the query with the domain lists as `site:` words, for engines that have no parameter for them. Lists that
 * would make it too long are left out: results are filtered afterward in any case.
 */
export function withSites(
  query: string,
  {
    allowedDomains: allowed,
    excludedDomains: excluded,
  }: Pick<SearchSettings, 'allowedDomains' | 'excludedDomains'>,
  lengthMax: number,
): string {
  const site = (pattern: string) => `site:${pattern.replace(/^\*\./u, '')}`;
  const sites = allowed.map(site).join(' OR ');
  const words = [
    query,
    ...(allowed.length === 0 ? [] : [allowed.length === 1 ? sites : `(${sites})`]),
    ...excluded.map((pattern) => `-${site(pattern)}`),
  ].join(' ');
  return words.length > lengthMax ? query : words;
}
