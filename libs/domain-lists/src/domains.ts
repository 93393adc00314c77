import { posix } from 'node:path';

/** A domain of a list, with the pages that it means. */
export interface Domain {
  /** The domain in lower case, as the network spells it, with its path and without a protocol. */
  readonly text: string;
  includes(url: URL): boolean;
}

export interface DomainFilter {
  readonly allowed: readonly Domain[];
  readonly blocked: readonly Domain[];
  /** Returns true for a page of an allowed domain that is of no blocked one. All are allowed if none is named. */
  readonly permits: (url: URL) => boolean;
}

const protocol = /^https?:\/\//i;
const below = '*.';

/** Parses the lists of a request. undefined: an entry is no domain. */
export function parseDomainFilter(
  allowedTexts: readonly string[],
  blockedTexts: readonly string[],
): DomainFilter | undefined {
  const [allowed, blocked] = [parseAll(allowedTexts), parseAll(blockedTexts)];
  if (!allowed || !blocked) return undefined;
  return {
    allowed,
    blocked,
    permits: (url) =>
      !blocked.some((domain) => domain.includes(url)) &&
      (allowed.length === 0 || allowed.some((domain) => domain.includes(url))),
  };
}

function parseAll(texts: readonly string[]): readonly Domain[] | undefined {
  const domains = texts.flatMap((text) => parseDomain(text) ?? []);
  return domains.length === texts.length ? domains : undefined;
}

/**
 * Parses a domain as people write it: `example.com` includes all below it, `*.example.com` is only what is below it,
 * `docs.*.com` has any one label there, `example.com/docs` is the pages at a path and below it. undefined: it is none.
 */
export function parseDomain(text: string): Domain | undefined {
  const bare = text.trim().replace(protocol, '');
  const [host = ''] = bare.split('/');
  // A port, a name and a password are no part of a site. What is left is parsed as the network does it.
  const url = /[\s@?#:\\]/.test(host) ? null : URL.parse(`https://${bare}`);
  if (!url || url.search !== '' || url.hash !== '') return undefined;
  const hostname = url.hostname.replace(/\.$/, '');
  const path = url.pathname.replace(/\/\*?$/, '');
  const isBelowOnly = hostname.startsWith(below);
  const labels = labelsOf(isBelowOnly ? hostname.slice(below.length) : hostname);
  if (!labels.every(isLabel) || labels.every((label) => label === '*') || path.includes('*'))
    return undefined;
  const wantedPath = comparable(path);
  return {
    text: `${hostname}${path}`,
    includes: ({ hostname: asked, pathname }) => {
      const given = labelsOf(asked.replace(/\.$/, ''));
      return (
        given.length >= labels.length + (isBelowOnly ? 1 : 0) &&
        labels.every((label, at) => label === '*' || label === given[at]) &&
        isAtOrBelow(comparable(pathname), wantedPath)
      );
    },
  };
}

const isLabel = (label: string) => label === '*' || (label !== '' && !label.includes('*'));

/** Returns the labels of a host from the last to the first. */
const labelsOf = (hostname: string) => hostname.split('.').toReversed();

const isAtOrBelow = (path: string, wanted: string) =>
  wanted === '' || path === wanted || path.startsWith(`${wanted}/`);

/**
 * Returns a path in the one form of all its spellings, so that none of them leads around a list: letters as escapes or
 * capitals, doubled slashes, dots behind an escaped slash.
 */
function comparable(path: string): string {
  const plain = path.replaceAll(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
  return path === '' ? '' : posix.normalize(plain.replaceAll('\\', '/')).toLowerCase();
}
