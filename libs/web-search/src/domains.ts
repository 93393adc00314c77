import type { Domain, DomainFilter } from '@sluice/domain-lists';
import type { SearchSettings } from './search.ts';

type Lists = Pick<SearchSettings, 'allowedDomains' | 'excludedDomains'>;

/**
 * Returns the lists as an engine is told of them, never narrower than they are: results are filtered afterward in any
 * case. None knows `docs.*.com`. Some take `x` itself for a part of `*.x`, so that an excluded `*.x` would cost it.
 */
export function toldLists({ allowed, blocked }: DomainFilter): Lists {
  return {
    allowedDomains: allowed.every(isTold) ? allowed.map(({ text }) => text) : [],
    excludedDomains: blocked.map(({ text }) => text).filter((text) => !text.includes('*')),
  };
}

const isTold = ({ text }: Domain) => text.lastIndexOf('*') <= 0;

/**
 * Returns the query with the domain lists as `site:` words, for engines that have no parameter for them. Lists that
 * would make it too long are left out: results are filtered afterward in any case.
 */
export function withSites(
  query: string,
  { allowedDomains: allowed, excludedDomains: excluded }: Lists,
  lengthMax: number,
): string {
  const site = (domain: string) => `site:${domain.replace(/^\*\./u, '')}`;
  const sites = allowed.map(site).join(' OR ');
  const words = [
    query,
    ...(allowed.length === 0 ? [] : [allowed.length === 1 ? sites : `(${sites})`]),
    ...excluded.map((domain) => `-${site(domain)}`),
  ].join(' ');
  return words.length > lengthMax ? query : words;
}
