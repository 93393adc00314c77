import { Fault } from '@sluice/errors';
import type { Catalogue, KnownModels } from '../commands/directory.ts';

/** Answers `GET /models` of routing: a direct call in one process, HTTP between two. */
export type ListModels = () => Promise<{
  readonly status: number;
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
}>;

/** What is in the public list of models. Throws unavailable when routing does not answer with one. */
export function listedModels(listModels: ListModels): Catalogue {
  return {
    async models() {
      const { status, body } = await listModels();
      const chunks: Uint8Array[] = [];
      if (body instanceof Uint8Array) chunks.push(body);
      else for await (const chunk of body) chunks.push(chunk);
      if (status !== 200) throw new Fault('unavailable', { message: 'There is no list of models' });
      return knownModels(JSON.parse(Buffer.concat(chunks).toString()) as ModelList);
    },
  };
}

/** The provider that comes with every installation: it is in no registry but ours. */
const simulator = 'simulator';

/** What of the public list is read here. */
interface ModelList {
  readonly data: readonly { readonly id: string; readonly canonical_slug: string }[];
}

function knownModels({ data }: ModelList): KnownModels {
  const canonical = new Map<string, string>();
  for (const { id, canonical_slug: slug } of data) canonical.set(id, slug).set(slug, slug);
  return { canonical: (slug) => canonical.get(slug), hasProvider: (slug) => slug === simulator };
}
