import pages from './corpus.json' with { type: 'json' };

/** A page of the simulated web. Its host is a name that no resolver knows (RFC 2606). */
export interface Page {
  readonly host: string;
  readonly path: string;
  readonly url: string;
  readonly title: string;
  readonly text: string;
  /** ISO 8601, a day. */
  readonly published: string;
}

export const hostEnd = '.corpus.example';

export const corpus: readonly Page[] = pages.map(({ site, slug, title, text, published }) => ({
  host: `${site}${hostEnd}`,
  path: `/${slug}`,
  url: `http://${site}${hostEnd}/${slug}`,
  // A reader must not take it for the true web.
  title: `${title} (simulated web)`,
  text,
  published,
}));

const wordPattern = /[\p{L}\p{N}]+/gu;
const rareWordMax = 0.4;

/** Returns the words of a text without the ends that a plural or a tense adds. */
function stems(text: string): string[] {
  return (text.toLowerCase().match(wordPattern) ?? []).map((word) =>
    word.length > 4 ? word.replace(/(?:ies|es|s|ed|ing)$/u, '') : word,
  );
}

interface Index {
  readonly entries: readonly {
    readonly page: Page;
    readonly counts: ReadonlyMap<string, number>;
  }[];
  /** The number of pages that have a word. */
  readonly pagesWith: ReadonlyMap<string, number>;
}

let index: Index | undefined;

/** Most simulators never search: the index is made by the first search. */
function openIndex(): Index {
  const pagesWith = new Map<string, number>();
  const entries = corpus.map((page) => {
    const counts = new Map<string, number>();
    for (const word of stems(page.text)) counts.set(word, (counts.get(word) ?? 0) + 1);
    // A word of the title counts as three.
    for (const word of stems(page.title)) counts.set(word, (counts.get(word) ?? 0) + 3);
    for (const word of counts.keys()) pagesWith.set(word, (pagesWith.get(word) ?? 0) + 1);
    return { page, counts };
  });
  return { entries, pagesWith };
}

export interface Sites {
  readonly allowed: readonly string[];
  readonly excluded: readonly string[];
}

/** Returns true for a page of a domain, which may name a path. */
function isOf({ host, path }: Page, domain: string): boolean {
  const [name = '', ...rest] = domain.replace(/^\*\./u, '').split('/');
  const isHost = host === name || host.endsWith(`.${name}`);
  return isHost && path.startsWith(`/${rest.join('/')}`);
}

/**
 * Returns the pages that share a word with the query, the best first: rare words count more than common ones. The same
 * query always gets the same pages.
 */
export function rankPages(query: string, { allowed, excluded }: Sites): readonly Page[] {
  const words = new Set(stems(query));
  index ??= openIndex();
  const { entries, pagesWith } = index;
  return entries
    .filter(({ page }) => allowed.length === 0 || allowed.some((domain) => isOf(page, domain)))
    .filter(({ page }) => !excluded.some((domain) => isOf(page, domain)))
    .map(({ page, counts }) => ({ page, score: scoreOf(words, counts, pagesWith) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score || (one.page.url < other.page.url ? -1 : 1))
    .map(({ page }) => page);
}

function scoreOf(
  words: ReadonlySet<string>,
  counts: ReadonlyMap<string, number>,
  pagesWith: ReadonlyMap<string, number>,
): number {
  let score = 0;
  for (const word of words) {
    const count = counts.get(word);
    const share = (pagesWith.get(word) ?? 0) / corpus.length;
    if (count !== undefined && share <= rareWordMax)
      score += (1 + Math.log(count)) * -Math.log(share);
  }
  return score;
}

/** Returns the page of an address. */
export function findPage(host: string, path: string): Page | undefined {
  return corpus.find((page) => page.host === host && page.path === path);
}
