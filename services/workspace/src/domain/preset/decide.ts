import { isPresetSlug, presetSlugRule } from '@sluice/client-schemas/presets';
import { invalidRequest, type Issue, nameIssues, type Rejection } from '@sluice/errors';
import type { Decider } from '@sluice/es';
import { descriptionCharactersMax, isDescription } from '../workspace/settings.ts';
import type { PresetCommand, SavePreset, UpdatePreset } from './commands.ts';
import type { PresetChanges, PresetEvent } from './events.ts';
import { evolve, type ExistingPreset, initial, type Preset } from './state.ts';

export type PresetRejection = Rejection<'invalid_request' | 'conflict' | 'not_found'>;

/** A command reads all versions. */
export const versionsMax = 500;
const nameCharactersMax = 100;

type Outcome = readonly PresetEvent[] | PresetRejection;

function decide(command: PresetCommand, preset: Preset): Outcome {
  if (command.type === 'SavePreset') return save(command, preset);
  if (preset.kind === 'none' || preset.accountId !== command.accountId) return notFound;
  return update(command, preset);
}

export const preset: Decider<PresetCommand, Preset, PresetEvent, PresetRejection> = {
  category: 'preset',
  initial,
  evolve,
  decide,
};

const notFound: PresetRejection = { rejected: 'not_found', message: 'There is no such preset' };

/** The content that the designated version has already makes no version. */
function save(command: SavePreset, now: Preset): Outcome {
  const { slug, createdBy, occurredAt: createdAt } = command;
  if (!isPresetSlug(slug)) return invalidRequest([{ path: 'slug', message: presetSlugRule }]);
  if (now.kind === 'none') {
    const created: PresetEvent = {
      type: 'PresetCreated',
      data: { ...idsOf(command), slug, name: slug, createdBy, createdAt },
    };
    return [created, versionOf(command, 1)];
  }
  if (now.accountId !== command.accountId) return notFound;
  const { last, designatedVersion, versionCount } = now;
  const isSame =
    last?.version === designatedVersion &&
    last.config === command.config &&
    last.systemPrompt === command.systemPrompt;
  if (isSame) return [];
  if (versionCount >= versionsMax)
    return {
      rejected: 'conflict',
      message: `The preset has ${versionCount} versions, which is the limit: take another slug`,
    };
  return [versionOf(command, versionCount + 1)];
}

function versionOf(command: SavePreset, version: number): PresetEvent {
  const { versionId, config, systemPrompt, creatorId, occurredAt: createdAt } = command;
  const data = { ...idsOf(command), versionId, version, config, systemPrompt, creatorId };
  return { type: 'PresetVersionCreated', data: { ...data, createdAt } };
}

function update(command: UpdatePreset, now: ExistingPreset): Outcome {
  const { changes, designatedVersion: version, occurredAt: changedAt } = command;
  const issues = [...changeIssues(changes), ...versionIssues(version, now)];
  if (issues.length > 0) return invalidRequest(issues);
  const { presetId, accountId, workspaceId } = now;
  const ids = { presetId, accountId, workspaceId };
  const entries = Object.entries(changes).filter(
    ([name, value]) => now[name as keyof PresetChanges] !== value,
  );
  const events: PresetEvent[] = [];
  if (entries.length > 0)
    events.push({
      type: 'PresetUpdated',
      data: { ...ids, changes: Object.fromEntries(entries), changedAt },
    });
  if (version !== undefined && version !== now.designatedVersion)
    events.push({ type: 'PresetVersionDesignated', data: { ...ids, version, changedAt } });
  return events;
}

function changeIssues({ name, description }: PresetChanges): readonly Issue[] {
  const issues: Issue[] =
    name === undefined ? [] : [...nameIssues('name', name, nameCharactersMax)];
  if (typeof description === 'string' && !isDescription(description))
    issues.push({
      path: 'description',
      message: `must have at most ${descriptionCharactersMax} characters, or be null`,
    });
  return issues;
}

function versionIssues(
  version: number | undefined,
  { versionCount }: ExistingPreset,
): readonly Issue[] {
  if (version === undefined || (version >= 1 && version <= versionCount)) return [];
  const message = `must be a version of the preset, from 1 to ${versionCount}`;
  return [{ path: 'designated_version', message }];
}

function idsOf({ presetId, accountId, workspaceId }: SavePreset) {
  return { presetId, accountId, workspaceId };
}
