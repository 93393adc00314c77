import type { JsonObject } from '@sluice/client-schemas';
import type { Preset, PresetVersion } from '@sluice/protos/sluice/workspace/v1/preset';
import { present } from '../../clients/present.ts';
import type { PresetVersionView, PresetView } from './schema.ts';

/** The public form of a preset. */
export function presetView(sent: Preset | undefined): PresetView {
  const preset = present(sent);
  return {
    id: preset.presetId,
    slug: preset.slug,
    name: preset.name,
    description: preset.description ?? null,
    status: preset.status,
    status_updated_at: preset.statusUpdatedAt ?? null,
    workspace_id: preset.workspaceId,
    creator_user_id: preset.creatorUserId ?? null,
    designated_version_id: preset.designatedVersionId,
    created_at: preset.createdAt,
    updated_at: preset.updatedAt,
  };
}

/** The public form of a version. It never changes. */
export function presetVersionView(sent: PresetVersion | undefined): PresetVersionView {
  const version = present(sent);
  return {
    id: version.versionId,
    preset_id: version.presetId,
    version: version.version,
    config: JSON.parse(version.config) as JsonObject,
    system_prompt: version.systemPrompt ?? null,
    creator_id: version.creatorId,
    created_at: version.createdAt,
    updated_at: version.createdAt,
  };
}

/** Returns a preset with its designated version, or the one that was asked for. */
export function presetReplyOf({
  preset,
  version,
}: {
  readonly preset?: Preset | undefined;
  readonly version?: PresetVersion | undefined;
}) {
  return { data: { ...presetView(preset), designated_version: presetVersionView(version) } };
}
