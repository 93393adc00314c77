import type { Catalog, Model } from '@sluice/catalog';
import { faultOf } from '@sluice/client-errors';
import type { Principal } from '@sluice/inference-port';
import type { Policies } from '../policy/policies.ts';
import type { ModelAlias } from '../request/named-models.ts';
import { readSlug } from '../request/slug.ts';
import { type RouterRow, routerRows } from './router-rows.ts';

/**
 * Returns the rows of aliases in a list of models, by their names. An alias can do what one of its models can, and its
 * price is that of the model that answers. One that stands for none of the models is left out.
 */
export function aliasRows(
  aliases: readonly ModelAlias[],
  listed: readonly Model[],
  catalog: Pick<Catalog, 'find'>,
): readonly RouterRow[] {
  return aliases
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap(({ name, models }) => {
      // A model of the catalog stands before an alias of its name.
      if (catalog.find(name)) return [];
      const ids = new Set(models.map((model) => catalog.find(readSlug(model).id)?.id));
      const own = listed.filter(({ id }) => ids.has(id));
      // A router stands for any of the models.
      const isRouter = models.some((model) => readSlug(model).id.startsWith('service/'));
      if (own.length === 0 && !isRouter) return [];
      const facts = { slug: name, name, description: `Stands for ${models.join(', ')}.` };
      return routerRows([facts], isRouter ? listed : own);
    });
}

interface Known {
  readonly catalog: Pick<Catalog, 'find'>;
  readonly policies: Pick<Policies, 'find'>;
}

/** Returns the rows of the aliases of a key that stand for at least one of these models. */
export async function aliasesOf(
  { catalog, policies }: Known,
  principal: Principal | undefined,
  models: readonly Model[],
): Promise<readonly RouterRow[]> {
  if (!principal) return [];
  try {
    const { aliases } = await policies.find(principal);
    return aliases ? aliasRows([...aliases.values()], models, catalog) : [];
  } catch (error) {
    // The models are listed also while no service tells the aliases.
    if (faultOf(error).code === 'unavailable') return [];
    throw error;
  }
}

/** Returns the row of an alias by its name. undefined: the workspace of the key has none. */
export async function aliasOf(
  known: Known,
  principal: Principal | undefined,
  { name, models }: { readonly name: string; readonly models: readonly Model[] },
): Promise<RouterRow | undefined> {
  const { id } = readSlug(name);
  return (await aliasesOf(known, principal, models)).find((row) => row.id === id);
}
