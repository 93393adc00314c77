import { type Issue, nameIssues } from '@sluice/errors';
import type { ByokSettings } from './events.ts';

const nameCharactersMax = 255;
const listedMax = 100;
const hashPattern = /^[0-9a-f]{64}$/;
const userIdPattern = /^[A-Za-z0-9_-]{1,128}$/;
const modelPattern = /^[\x21-\x7e]{1,256}$/;

/** Everything that is wrong with settings as they were asked for, under their public names. */
export function issuesOf(asked: Partial<ByokSettings>): readonly Issue[] {
  const { name, allowedModels, allowedApiKeyHashes, allowedUserIds } = asked;
  return [
    ...(typeof name === 'string' ? nameIssues('name', name, nameCharactersMax) : []),
    ...listIssues('allowed_models', allowedModels, modelPattern, 'models'),
    ...listIssues('allowed_api_key_hashes', allowedApiKeyHashes, hashPattern, 'hashes of keys'),
    ...listIssues('allowed_user_ids', allowedUserIds, userIdPattern, 'ids of users'),
  ];
}

/** Returns the settings that exclude each other after the change. */
export function conflictsOf(settings: ByokSettings): readonly Issue[] {
  const issues: Issue[] = [];
  if (settings.isFallback && settings.isByokOnly)
    issues.push({ path: 'is_byok_only', message: 'cannot be together with is_fallback' });
  // All keys of the credential were deleted: when enabled, it would serve no key.
  if (!settings.disabled && settings.allowedApiKeyHashes?.length === 0)
    issues.push({
      path: 'allowed_api_key_hashes',
      message: 'has no key any more: name some, or null for all keys',
    });
  return issues;
}

/** The same settings, each entry of a list once. */
export function distinct(settings: ByokSettings): ByokSettings {
  const once = (list: readonly string[] | null) => (list === null ? null : [...new Set(list)]);
  return {
    ...settings,
    allowedModels: once(settings.allowedModels),
    allowedApiKeyHashes: once(settings.allowedApiKeyHashes),
    allowedUserIds: once(settings.allowedUserIds),
  };
}

export function isSame(one: ByokSettings, other: ByokSettings): boolean {
  const names = Object.keys(one) as (keyof ByokSettings)[];
  return names.every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));
}

function listIssues(
  path: string,
  list: readonly string[] | null | undefined,
  pattern: RegExp,
  what: string,
): readonly Issue[] {
  if (list === null || list === undefined) return [];
  if (list.length === 0 || list.length > listedMax)
    return [{ path, message: `must be 1 to ${listedMax} ${what}, or null for all` }];
  return list.every((entry) => pattern.test(entry))
    ? []
    : [{ path, message: `must be ${what}, or null for all` }];
}
