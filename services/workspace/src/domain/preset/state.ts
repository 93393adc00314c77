import type { PresetCreated, PresetEvent, PresetStatus, PresetVersionCreated } from './events.ts';

export type Preset = { readonly kind: 'none' } | ExistingPreset;

export interface ExistingPreset extends PresetCreatedData {
  readonly kind: 'created';
  readonly description: string | null;
  readonly status: PresetStatus;
  readonly statusUpdatedAt: string | null;
  readonly designatedVersion: number;
  readonly versionCount: number;
  /** The last version. undefined between the two events of a creation. */
  readonly last: PresetVersionCreated['data'] | undefined;
  readonly updatedAt: string;
}
type PresetCreatedData = PresetCreated['data'];

export const initial: Preset = { kind: 'none' };

export function evolve(preset: Preset, event: PresetEvent): Preset {
  if (event.type === 'PresetCreated')
    return {
      kind: 'created',
      ...event.data,
      description: null,
      status: 'active',
      statusUpdatedAt: null,
      designatedVersion: 0,
      versionCount: 0,
      last: undefined,
      updatedAt: event.data.createdAt,
    };
  if (preset.kind !== 'created') return preset;
  switch (event.type) {
    case 'PresetVersionCreated': {
      const { version, createdAt: updatedAt } = event.data;
      const numbers = { designatedVersion: version, versionCount: version };
      return { ...preset, ...numbers, last: event.data, updatedAt };
    }
    case 'PresetVersionDesignated': {
      const { version, changedAt } = event.data;
      return { ...preset, designatedVersion: version, updatedAt: changedAt };
    }
    case 'PresetUpdated': {
      const { changes, changedAt } = event.data;
      const statusUpdatedAt = changes.status === undefined ? preset.statusUpdatedAt : changedAt;
      return { ...preset, ...changes, statusUpdatedAt, updatedAt: changedAt };
    }
  }
}
