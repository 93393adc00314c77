import {
  contentRules,
  destinationRegions,
  type FilterRules,
  filterRulesProblems,
} from '@sluice/destinations';
import { type Issue, nameIssues } from '@sluice/errors';
import type { DestinationSettings } from './events.ts';

const nameCharactersMax = 200;
const samplingRateMin = 0.0001;
const hashesMax = 1_000;
const hashPattern = /^[0-9a-f]{64}$/;
const regions: ReadonlySet<string> = new Set(destinationRegions);

/** Lists the problems of settings as they were asked for, under their public names. */
export function settingsIssues(asked: Partial<DestinationSettings>): readonly Issue[] {
  const { name, samplingRate, apiKeyHashes, filterRules, regions: listed } = asked;
  return [
    ...(typeof name === 'string' ? nameIssues('name', name, nameCharactersMax) : []),
    ...issue(
      samplingRate !== undefined && !(samplingRate >= samplingRateMin && samplingRate <= 1),
      'sampling_rate',
      `must be from ${samplingRateMin} to 1`,
    ),
    ...issue(
      listed !== undefined && !(listed.length > 0 && listed.every((one) => regions.has(one))),
      'regions',
      `must be at least one of ${destinationRegions.join(', ')}`,
    ),
    ...issue(
      Array.isArray(apiKeyHashes) && !areHashes(apiKeyHashes),
      'api_key_hashes',
      `must be 1 to ${hashesMax} hashes of keys, or null for all`,
    ),
    ...(typeof filterRules === 'string' ? filterRulesProblems(parsed(filterRules)) : []),
  ];
}

/** Returns the settings that exclude each other after a change. */
export function conflictsOf({ privacyMode, filterRules }: DestinationSettings): readonly Issue[] {
  if (!privacyMode || filterRules === null) return [];
  return contentRules(JSON.parse(filterRules) as FilterRules).map((path) => ({
    path,
    message: 'must not be input or output together with privacy_mode: no content is kept for it',
  }));
}

/** Returns the same settings, each entry of a list once. */
export function distinct(settings: DestinationSettings): DestinationSettings {
  const { apiKeyHashes, regions: listed } = settings;
  return {
    ...settings,
    apiKeyHashes: apiKeyHashes && [...new Set(apiKeyHashes)],
    regions: [...new Set(listed)],
  };
}

export function isSame(one: DestinationSettings, other: DestinationSettings): boolean {
  const names = Object.keys(one) as (keyof DestinationSettings)[];
  return names.every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));
}

function areHashes(hashes: readonly string[]): boolean {
  if (hashes.length === 0 || hashes.length > hashesMax) return false;
  return hashes.every((hash) => hashPattern.test(hash));
}

function issue(isWrong: boolean, path: string, message: string): readonly Issue[] {
  return isWrong ? [{ path, message }] : [];
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
