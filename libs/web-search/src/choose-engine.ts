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
  readonly names: readonly EngineName[];
}

export function createSearchEngines(engines: readonly SearchEngine[]): SearchEngines {
  const byName = new Map(engines.map((engine) => [engine.name, engine]));
  const first = order.find((name) => byName.has(name));
  return {
    names: engineNames.filter((name) => byName.has(name)),
    choose(asked) {
      return byName.get(asked as EngineName) ?? (first && byName.get(first));
    },
  };
}
