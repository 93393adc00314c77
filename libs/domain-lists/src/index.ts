export { type Domain, type DomainFilter, parseDomain, parseDomainFilter } from './domains.ts';
