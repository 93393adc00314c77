import { type Issue, nameIssues } from '@sluice/errors';
import { amountNanoUsdMax } from '@sluice/amounts';
import type { WantedGuardrail } from './commands.ts';
import type { DataRegion, GuardrailChanges, ResetInterval } from './events.ts';
import { readBuiltinFilters, readCustomFilters, readFilterModes } from './filters.ts';
import { oneOf, type Refuse } from './one-of.ts';

const nameCharactersMax = 200;
const descriptionCharactersMax = 1_000;
const slugCharactersMax = 200;
const providersMax = 200;
const modelsMax = 1_000;
const resetIntervals: readonly ResetInterval[] = ['daily', 'weekly', 'monthly'];
const dataRegions: readonly DataRegion[] = ['global', 'europe', 'us'];
/** PostgreSQL holds no zero byte, and half a pair is no text; lines may be broken. */
const unwritable = /[\0\p{Cs}]/u;
const slugPattern = /^[!-~]+$/;

/**
 * The given values in the shape that is stored, and everything that is wrong with them, under their
 * public names. Absent ones stay absent. A name that is twice in a list stays once.
 */
export function readChanges(wanted: WantedGuardrail): {
  readonly changes: GuardrailChanges;
  readonly issues: readonly Issue[];
} {
  const { name, description, limitNanoUsd, resetInterval, dataRegions: regions } = wanted;
  const { builtinFilters, customFilters } = wanted;
  const issues: Issue[] = [];
  const refuse: Refuse = (path, message) => void issues.push({ path, message });
  if (name !== undefined) issues.push(...nameIssues('name', name, nameCharactersMax));
  if (typeof description === 'string') checkDescription(description, refuse);
  const changes: GuardrailChanges = {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(limitNanoUsd === undefined ? {} : { limitNanoUsd: readLimit(limitNanoUsd, refuse) }),
    ...(resetInterval === undefined ? {} : { resetInterval: readInterval(resetInterval, refuse) }),
    ...flagsOf(wanted),
    ...readSlugs(wanted, refuse),
    ...(regions === undefined ? {} : { dataRegions: readRegions(regions, refuse) }),
    ...(builtinFilters === undefined
      ? {}
      : { builtinFilters: readBuiltinFilters(builtinFilters, refuse) }),
    ...(customFilters === undefined
      ? {}
      : { customFilters: readCustomFilters(customFilters, refuse) }),
    ...readFilterModes(wanted, refuse),
  };
  return { changes, issues };
}

function checkDescription(text: string, refuse: Refuse): void {
  const isTooLong =
    text.length > 2 * descriptionCharactersMax ||
    Array.from(text).length > descriptionCharactersMax;
  if (isTooLong) refuse('description', `must have at most ${descriptionCharactersMax} characters`);
  if (unwritable.test(text)) refuse('description', 'must be text that can be written');
}

function readLimit(limitNanoUsd: bigint | null, refuse: Refuse): string | null {
  if (limitNanoUsd === null) return null;
  if (limitNanoUsd <= 0n || limitNanoUsd > amountNanoUsdMax)
    refuse('limit_usd', 'must be above 0 and at most 1000000000 USD, or null for no limit');
  return limitNanoUsd.toString();
}

function readInterval(interval: string | null, refuse: Refuse): ResetInterval | null {
  return interval === null ? null : oneOf(resetIntervals, interval, 'reset_interval', refuse);
}

function readRegions(regions: readonly string[] | null, refuse: Refuse) {
  const path = 'allowed_data_regions';
  if (regions === null) return null;
  if (regions.length === 0) refuse(path, 'must name at least one, or be null for any');
  const known = regions.map((region) => oneOf(dataRegions, region, path, refuse));
  return [...new Set(known.filter((region) => region !== null))];
}

/** Returns the flags. A flag is true, false or null and needs no check. */
function flagsOf(wanted: WantedGuardrail): GuardrailChanges {
  const {
    includeByok,
    zeroRetentionAnthropic,
    zeroRetentionOpenai,
    zeroRetentionGoogle,
    zeroRetentionXai,
    zeroRetentionOther,
  } = wanted;
  const { paidTraining, freeTraining, freePublication } = wanted;
  return {
    ...(includeByok === undefined ? {} : { includeByok }),
    ...(zeroRetentionAnthropic === undefined ? {} : { zeroRetentionAnthropic }),
    ...(zeroRetentionOpenai === undefined ? {} : { zeroRetentionOpenai }),
    ...(zeroRetentionGoogle === undefined ? {} : { zeroRetentionGoogle }),
    ...(zeroRetentionXai === undefined ? {} : { zeroRetentionXai }),
    ...(zeroRetentionOther === undefined ? {} : { zeroRetentionOther }),
    ...(paidTraining === undefined ? {} : { paidTraining }),
    ...(freeTraining === undefined ? {} : { freeTraining }),
    ...(freePublication === undefined ? {} : { freePublication }),
  };
}

function readSlugs(wanted: WantedGuardrail, refuse: Refuse): GuardrailChanges {
  const { allowedProviders, ignoredProviders, allowedModels, ignoredModels } = wanted;
  const read = (slugs: readonly string[] | null, path: string, countMax: number) => {
    if (slugs === null) return null;
    if (slugs.length === 0) refuse(path, 'must name at least one, or be null');
    if (slugs.length > countMax) refuse(path, `must name at most ${countMax}`);
    slugs.forEach((slug, index) => {
      if (slug.length > slugCharactersMax || !slugPattern.test(slug))
        refuse(`${path}.${index}`, 'must be a slug');
    });
    return [...new Set(slugs)];
  };
  const providers = (slugs: readonly string[] | null, path: string) =>
    read(slugs, path, providersMax);
  const models = (slugs: readonly string[] | null, path: string) => read(slugs, path, modelsMax);
  return {
    ...(allowedProviders === undefined
      ? {}
      : { allowedProviders: providers(allowedProviders, 'allowed_providers') }),
    ...(ignoredProviders === undefined
      ? {}
      : { ignoredProviders: providers(ignoredProviders, 'ignored_providers') }),
    ...(allowedModels === undefined
      ? {}
      : { allowedModels: models(allowedModels, 'allowed_models') }),
    ...(ignoredModels === undefined
      ? {}
      : { ignoredModels: models(ignoredModels, 'ignored_models') }),
  };
}
