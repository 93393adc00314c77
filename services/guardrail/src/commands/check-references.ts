import { invalidRequest, type Issue, type Rejection } from '@sluice/errors';
import { givenFields } from '@sluice/es';
import { isProviderSlug } from '@sluice/provider-registry';
import type { WantedGuardrail } from '../domain/guardrail/commands.ts';
import type { Catalog, KnownNames } from './directory.ts';

/**
 * Returns the wanted values with the canonical slugs of their models, or the unknown providers and models.
 * Asks the catalog only when the values name a model or a provider.
 */
export async function checkReferences(
  wanted: WantedGuardrail,
  catalog: Catalog,
): Promise<WantedGuardrail | Rejection<'invalid_request'>> {
  const { allowedProviders, ignoredProviders, allowedModels, ignoredModels } = wanted;
  const named = [...(allowedProviders ?? []), ...(ignoredProviders ?? [])];
  const providers = named.filter((slug) => !isProviderSlug(slug));
  const models = [...(allowedModels ?? []), ...(ignoredModels ?? [])];
  if (models.length === 0 && providers.length === 0) return wanted;
  const known = await catalog.find({ models, providers });
  const issues = [
    ...unknownProviders('allowed_providers', allowedProviders, known),
    ...unknownProviders('ignored_providers', ignoredProviders, known),
    ...unknownModels('allowed_models', allowedModels, known),
    ...unknownModels('ignored_models', ignoredModels, known),
  ];
  if (issues.length > 0) return invalidRequest(issues);
  const canonical = (slugs: Slugs) =>
    slugs && slugs.map((slug) => known.canonical.get(slug) ?? slug);
  const canonicals = {
    allowedModels: canonical(allowedModels),
    ignoredModels: canonical(ignoredModels),
  };
  return { ...wanted, ...givenFields(canonicals) };
}

type Slugs = readonly string[] | null | undefined;

function unknownProviders(path: string, slugs: Slugs, known: KnownNames): readonly Issue[] {
  const unknown = (slugs ?? []).filter(
    (slug) => !isProviderSlug(slug) && !known.providers.has(slug),
  );
  return issueOf(path, 'provider', unknown);
}

function unknownModels(path: string, slugs: Slugs, known: KnownNames): readonly Issue[] {
  const unknown = (slugs ?? []).filter((slug) => !known.canonical.has(slug));
  return issueOf(path, 'model', unknown);
}

const namedMax = 10;

function issueOf(path: string, what: string, unknown: readonly string[]): readonly Issue[] {
  if (unknown.length === 0) return [];
  const named = unknown.slice(0, namedMax).join(', ');
  const more = unknown.length > namedMax ? ` and ${unknown.length - namedMax} more` : '';
  return [{ path, message: `there is no such ${what}: ${named}${more}` }];
}
