import { Fault } from '@sluice/errors';
import { type CatalogView, type InferenceReply, wholeText } from '@sluice/inference-port';
import type { Catalog, KnownModels } from '../commands/directory.ts';

/** A list of routing's catalog that needs no key. */
export type PublicList = Extract<CatalogView, 'models' | 'providers'>;

/** Answers with such a list, the whole of it: a direct call in one process, HTTP between two. */
export type ReadList = (list: PublicList) => Promise<Pick<InferenceReply, 'status' | 'body'>>;

/** Reads the public lists. Throws unavailable when routing does not answer with them. */
export function listedModels(readList: ReadList): Catalog {
  return {
    async models() {
      const [models, providers] = await Promise.all([
        dataOf<ListedModel>(readList, 'models'),
        dataOf<ListedProvider>(readList, 'providers'),
      ]);
      return knownModels(models, providers);
    },
  };
}

/** The fields of the public lists that are read here. */
interface ListedModel {
  readonly id: string;
  readonly canonical_slug: string;
}

interface ListedProvider {
  readonly slug: string;
}

async function dataOf<Row>(readList: ReadList, list: PublicList): Promise<readonly Row[]> {
  const { status, body } = await readList(list);
  const text = await wholeText(body);
  if (status !== 200) throw new Fault('unavailable', { message: `There is no list of ${list}` });
  const { data } = JSON.parse(text) as { readonly data: readonly Row[] };
  return data;
}

/** The provider that comes with every installation: it is in no registry but ours, also while it is off. */
const simulator = 'simulator';

function knownModels(
  models: readonly ListedModel[],
  providers: readonly ListedProvider[],
): KnownModels {
  const canonical = new Map<string, string>();
  for (const { id, canonical_slug: slug } of models) canonical.set(id, slug).set(slug, slug);
  const slugs = new Set([simulator, ...providers.map(({ slug }) => slug)]);
  return { canonical: (slug) => canonical.get(slug), hasProvider: (slug) => slugs.has(slug) };
}
