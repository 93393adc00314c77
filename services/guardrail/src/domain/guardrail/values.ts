import { type Issue, nameIssues } from '@sluice/errors';
import { amountNanoUsdMax } from '@sluice/amounts';
import { givenFields } from '@sluice/es';
import type { WantedGuardrail } from './commands.ts';
import type {
  DataRegion,
  FailMode,
  GuardrailChanges,
  ResetInterval,
  ScanOutput,
} from './events.ts';
import { readBuiltinFilters, readCustomFilters } from './filters.ts';
import { oneOf, oneOfOrNull, type Refuse } from './one-of.ts';

const nameCharactersMax = 200;
const descriptionCharactersMax = 1_000;
const slugCharactersMax = 200;
const providersMax = 200;
const modelsMax = 1_000;
const resetIntervals: readonly ResetInterval[] = ['daily', 'weekly', 'monthly'];
const outputUnits: readonly ScanOutput[] = ['sentence', 'end'];
const failModes: readonly FailMode[] = ['block', 'pass'];
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
  const issues: Issue[] = [];
  const refuse: Refuse = (path, message) => void issues.push({ path, message });
  const { name, description } = wanted;
  if (name !== undefined) issues.push(...nameIssues('name', name, nameCharactersMax));
  if (typeof description === 'string') checkDescription(description, refuse);
  const { limitNanoUsd, resetInterval, dataRegions: regions, ...others } = wanted;
  const { builtinFilters, customFilters, scanOutput, failMode, ...unchecked } = others;
  const changes: GuardrailChanges = {
    ...unchecked,
    ...givenFields({
      limitNanoUsd: readLimit(limitNanoUsd, refuse),
      resetInterval: oneOfOrNull(resetIntervals, resetInterval, 'reset_interval', refuse),
      ...readSlugs(wanted, refuse),
      dataRegions: readRegions(regions, refuse),
      builtinFilters: readBuiltinFilters(builtinFilters, refuse),
      customFilters: readCustomFilters(customFilters, refuse),
      scanOutput: oneOfOrNull(outputUnits, scanOutput, 'scan_output', refuse),
      failMode: oneOfOrNull(failModes, failMode, 'fail_mode', refuse),
    }),
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

function readLimit(limitNanoUsd: bigint | null | undefined, refuse: Refuse) {
  if (typeof limitNanoUsd !== 'bigint') return limitNanoUsd;
  if (limitNanoUsd <= 0n || limitNanoUsd > amountNanoUsdMax)
    refuse('limit_usd', 'must be above 0 and at most 1000000000 USD, or null for no limit');
  return limitNanoUsd.toString();
}

function readRegions(regions: readonly string[] | null | undefined, refuse: Refuse) {
  const path = 'allowed_data_regions';
  if (!regions) return regions;
  if (regions.length === 0) refuse(path, 'must name at least one, or be null for any');
  const known = regions.map((region) => oneOf(dataRegions, region, path, refuse));
  return [...new Set(known.filter((region) => region !== null))];
}

function readSlugs(wanted: WantedGuardrail, refuse: Refuse) {
  const { allowedProviders, ignoredProviders, allowedModels, ignoredModels } = wanted;
  const read = (slugs: readonly string[] | null | undefined, path: string, countMax: number) => {
    if (!slugs) return slugs;
    if (slugs.length === 0) refuse(path, 'must name at least one, or be null');
    if (slugs.length > countMax) refuse(path, `must name at most ${countMax}`);
    slugs.forEach((slug, index) => {
      if (slug.length > slugCharactersMax || !slugPattern.test(slug))
        refuse(`${path}.${index}`, 'must be a slug');
    });
    return [...new Set(slugs)];
  };
  return {
    allowedProviders: read(allowedProviders, 'allowed_providers', providersMax),
    ignoredProviders: read(ignoredProviders, 'ignored_providers', providersMax),
    allowedModels: read(allowedModels, 'allowed_models', modelsMax),
    ignoredModels: read(ignoredModels, 'ignored_models', modelsMax),
  };
}
