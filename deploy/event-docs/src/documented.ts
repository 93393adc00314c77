import { type BusFact, busFacts } from './bus/facts.ts';
import { Repository } from './repository.ts';
import { storedStreams, type StoredStream } from './stored/streams.ts';

export interface Documented {
  readonly streams: readonly StoredStream[];
  readonly facts: readonly BusFact[];
}

/** Reads the events from the sources. Throws DocumentationProblem where they contradict each other. */
export async function readSources(root: string): Promise<Documented> {
  const repository = new Repository(root);
  const [streams, facts] = await Promise.all([storedStreams(repository), busFacts(root)]);
  return { streams, facts };
}
