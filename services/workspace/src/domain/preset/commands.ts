import type { PresetChanges } from './events.ts';

interface Of {
  readonly accountId: string;
  readonly workspaceId: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly occurredAt: string;
}

/** Makes the preset, or a new version of it. The caller has read the content from a valid body. */
export interface SavePreset extends Of {
  readonly type: 'SavePreset';
  readonly presetId: string;
  readonly slug: string;
  /** The id of the version, if it becomes one. */
  readonly versionId: string;
  readonly config: string;
  readonly systemPrompt: string | null;
  readonly createdBy: string | null;
  readonly creatorId: string;
}

export interface UpdatePreset extends Of {
  readonly type: 'UpdatePreset';
  readonly changes: PresetChanges;
  /** If undefined, it stays as it is. */
  readonly designatedVersion: number | undefined;
}

export type PresetCommand = SavePreset | UpdatePreset;
