import { createSearchEngine } from './create-engine.ts';
import { engineNames, type EngineName, type SearchEngine } from './search.ts';

/** The order in which engines are chosen when a request names none: those that cost nothing first. */
const order: readonly EngineName[] = [
  'searxng',
  'exa',
  'parallel',
  'perplexity',
  'tavily',
  'brave',
  'firecrawl',
  'simulator',
];

/** The engines of a deployment. */
export interface SearchEngines {
  /** Returns the engine for a name of a request. The default engine answers for one that the deployment lacks. */
  choose(asked: string | undefined): SearchEngine | undefined;
  /** Returns an engine that searches with another key. */
  withKey(name: EngineName, key: SearchKey): SearchEngine;
  readonly names: readonly EngineName[];
}

export interface SearchKey {
  reveal(): string;
}

/** `open` makes an engine for a key of a customer. If absent, it is called at its own address. */
export function createSearchEngines(
  engines: readonly SearchEngine[],
  open: SearchEngines['withKey'] = (name, key) => createSearchEngine({ name, key }),
): SearchEngines {
  const byName = new Map(engines.map((engine) => [engine.name, engine]));
  const first = order.find((name) => byName.has(name));
  return {
    names: engineNames.filter((name) => byName.has(name)),
    withKey: open,
    choose(asked) {
      return byName.get(asked as EngineName) ?? (first && byName.get(first));
    },
  };
}
