import type { Catalog } from '@sluice/catalog';
import type { CanonicalCall } from '../request/call.ts';
import type { ModelAlias, ModelAliases } from '../request/named-models.ts';
import { readSlug } from '../request/slug.ts';
import { routers } from './routers/index.ts';

/**
 * Returns a call with models in the place of its aliases. A suffix of an alias asks the same of each of its models. A
 * model or a router of the catalog stands before an alias of the same name.
 */
export function expandAliases(
  call: CanonicalCall,
  aliases: ModelAliases | undefined,
  catalog: Pick<Catalog, 'find'>,
): CanonicalCall {
  if (!aliases) return call;
  const { models: requested } = call.preferences;
  const models: string[] = [];
  const budgetModels: string[] = [];
  let alias: ModelAlias | undefined;
  let firstCount: number | undefined;
  for (const [index, name] of requested.entries()) {
    const { id } = readSlug(name);
    const found = aliases.get(id);
    if (!found || routers.has(id) || catalog.find(id)) {
      models.push(name);
      continue;
    }
    alias ??= found;
    const suffixes = name.slice(id.length);
    models.push(...found.models.map((model) => model + suffixes));
    if (found.budgetModel !== undefined) budgetModels.push(found.budgetModel + suffixes);
    if (index === 0) firstCount = found.models.length;
  }
  if (!alias) return call;
  const distinct = [...new Set(models)];
  return {
    ...call,
    preferences: { ...call.preferences, models: distinct },
    aliases: {
      requested,
      alias,
      ...(firstCount !== undefined && { firstCount }),
      budgetModels: budgetModels.filter((model) => !distinct.includes(model)),
    },
  };
}
