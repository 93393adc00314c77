import { type Queryable, type Statement, streamProjection } from '@sluice/read-model';
import type { PresetEvent } from '../domain/preset/events.ts';
import { presetEvents } from '../store/preset-events.ts';

/** Keeps the tables `presets` and `preset_versions`. */
export const presetsProjection = streamProjection(
  presetEvents,
  { projection: 'workspace.presets', version: 1, tables: ['presets', 'preset_versions'] },
  async (transaction: Queryable, event) => void (await transaction.query(statementOf(event))),
);

/** Each statement has the same outcome when it runs again. */
function statementOf(event: PresetEvent): Statement {
  switch (event.type) {
    case 'PresetCreated': {
      const { presetId, accountId, workspaceId, slug, name, createdBy, createdAt } = event.data;
      return {
        name: 'create-preset',
        text: `INSERT INTO presets (preset_id, account_id, workspace_id, slug, name, status,
                 creator_user_id, designated_version, version_count, created_at, updated_at)
               VALUES ($1, $2, $3, $4, $5, 'active', $6, 0, 0, $7, $7)
               ON CONFLICT (preset_id) DO NOTHING`,
        values: [presetId, accountId, workspaceId, slug, name, createdBy, createdAt],
      };
    }
    case 'PresetVersionCreated': {
      const { presetId, accountId, version, versionId, config, systemPrompt } = event.data;
      const { creatorId, createdAt } = event.data;
      return {
        name: 'create-preset-version',
        text: `WITH made AS (
                 INSERT INTO preset_versions (preset_id, version, account_id, version_id, config,
                   system_prompt, creator_id, created_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
                 ON CONFLICT (preset_id, version) DO NOTHING)
               UPDATE presets SET designated_version = $2, version_count = $2, updated_at = $8
               WHERE preset_id = $1`,
        values: [
          presetId,
          version,
          accountId,
          versionId,
          config,
          systemPrompt,
          creatorId,
          createdAt,
        ],
      };
    }
    case 'PresetVersionDesignated': {
      const { presetId, version, changedAt } = event.data;
      return {
        name: 'designate-preset-version',
        text: `UPDATE presets SET designated_version = $2, updated_at = $3 WHERE preset_id = $1`,
        values: [presetId, version, changedAt],
      };
    }
    case 'PresetUpdated': {
      const { presetId, changes, changedAt } = event.data;
      const { name = null, description = null, status = null } = changes;
      return {
        name: 'update-preset',
        text: `UPDATE presets SET updated_at = $2, name = coalesce($3, name),
                 description = CASE WHEN $4 THEN $5 ELSE description END,
                 status = coalesce($6, status),
                 status_updated_at = CASE WHEN $6::text IS NULL THEN status_updated_at ELSE $2 END
               WHERE preset_id = $1`,
        values: [presetId, changedAt, name, 'description' in changes, description, status],
      };
    }
  }
}
