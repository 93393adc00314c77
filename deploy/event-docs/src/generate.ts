import { stringify } from 'yaml';
import { asyncApi, type JsonObject } from './asyncapi/document.ts';
import { type BusFact, busFacts } from './bus/facts.ts';
import { formatted } from './format.ts';
import { eventsPage } from './pages/events-page.ts';
import { Repository } from './repository.ts';
import { storedAggregates } from './stored/aggregates.ts';
import type { StoredAggregate } from './stored/stored-event.ts';

export interface Generated {
  /** Relative to the root. */
  readonly path: string;
  readonly text: string;
}

export interface Documented {
  readonly aggregates: readonly StoredAggregate[];
  /** The declaration of the metadata of every event. */
  readonly metadata: string;
  readonly facts: readonly BusFact[];
}

/** The command that regenerates the pages. */
export const command = 'node deploy/event-docs/src/main.ts';

/** All that the sources say of events. Throws DocumentationProblem where they contradict each other. */
export async function readSources(root: string): Promise<Documented> {
  const repository = new Repository(root);
  const [aggregates, facts] = await Promise.all([
    storedAggregates(repository),
    busFacts(repository),
  ]);
  return { aggregates, facts, metadata: repository.text('libs/es/src/event.ts').trimEnd() };
}

/** The pages as they have to be. Writes nothing. */
export async function generate(root: string): Promise<readonly Generated[]> {
  const documented = await readSources(root);
  const pages = [
    { path: 'docs/events.md', source: eventsPage({ ...documented, command }) },
    {
      path: 'docs/asyncapi.yaml',
      source: `# Written by \`${command}\` from the sources.\n${yaml(asyncApi(documented.facts))}`,
    },
  ];
  return await Promise.all(
    pages.map(async ({ path, source }) => ({ path, text: await formatted(root, path, source) })),
  );
}

/** Quoted so that a reader of YAML 1.1 finds no dates in it either. */
function yaml(document: JsonObject): string {
  return stringify(document, { compat: 'yaml-1.1', lineWidth: 100, aliasDuplicateObjects: false });
}
