/** Decides whether a URL belongs to one of the domains of a list. */
export interface DomainRules {
  includes(url: URL): boolean;
}

/** The message is a part of a sentence: "must be …". */
export class InvalidDomain extends Error {
  override readonly name = 'InvalidDomain';
  /** The place in the list. */
  readonly index: number;

  constructor(index: number) {
    super('must be a domain, such as "example.com", "*.example.com" or "example.com/docs"');
    this.index = index;
  }
}

interface Entry {
  /** Labels from the last to the first. `*` stands for any one label. */
  readonly labels: readonly string[];
  /** True: the entry began with `*.`, so the domain itself is not meant. */
  readonly isBelowOnly: boolean;
  /** Begins with a slash and has none at its end. Empty: every path. */
  readonly path: string;
}

const protocol = /^https?:\/\//i;
const placeholder = 'sluice-any-label';

/**
 * Parses the domains that people write: `example.com` includes its subdomains, `*.example.com` only those,
 * `docs.*.com` any one label, `example.com/docs` the pages below a path. A protocol is ignored. Throws InvalidDomain.
 */
export function parseDomains(texts: readonly string[]): DomainRules {
  const entries = texts.map(parseEntry);
  return {
    includes: (url) => {
      const labels = labelsOf(url.hostname);
      return entries.some((entry) => matches(entry, labels, url.pathname));
    },
  };
}

function parseEntry(text: string, index: number): Entry {
  const bare = text.trim().replace(protocol, '');
  const isBelowOnly = bare.startsWith('*.');
  const named = isBelowOnly ? bare.slice(2) : bare;
  const slash = named.indexOf('/');
  const host = slash === -1 ? named : named.slice(0, slash);
  const spelled = host.split('.').map((label) => (label === '*' ? placeholder : label));
  // `URL` brings international names to the form that the network uses.
  const url = URL.parse(`https://${spelled.join('.')}${slash === -1 ? '' : named.slice(slash)}`);
  const isDomain =
    url !== null &&
    host !== '' &&
    !/[\s@?#:*]/.test(
      host.replaceAll('*', (_, at: number) => (isWholeLabel(host, at) ? '' : '*')),
    ) &&
    host !== '*';
  if (!isDomain || url.hostname === '' || url.search !== '' || url.hash !== '')
    throw new InvalidDomain(index);
  return {
    labels: labelsOf(url.hostname).map((label) => (label === placeholder ? '*' : label)),
    isBelowOnly,
    path: url.pathname.replace(/\/?\*?$/, ''),
  };
}

const isWholeLabel = (host: string, at: number) =>
  (at === 0 || host[at - 1] === '.') && (at === host.length - 1 || host[at + 1] === '.');

/** Returns the labels of a host from the last to the first. An address in brackets is one label. */
const labelsOf = (hostname: string) =>
  hostname.startsWith('[') ? [hostname] : hostname.replace(/\.$/, '').split('.').toReversed();

function matches(entry: Entry, labels: readonly string[], pathname: string): boolean {
  const { labels: wanted, isBelowOnly, path } = entry;
  if (labels.length < wanted.length + (isBelowOnly ? 1 : 0)) return false;
  if (!wanted.every((label, at) => label === '*' || label === labels[at])) return false;
  return path === '' || pathname === path || pathname.startsWith(`${path}/`);
}
