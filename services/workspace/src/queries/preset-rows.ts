import type { AccountReads } from '@sluice/read-model';
import type { Page } from './list-workspaces.ts';

/** A preset as the read model shows it. */
export interface PresetRow {
  readonly presetId: string;
  readonly workspaceId: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string | null;
  readonly status: string;
  readonly statusUpdatedAt: Date | null;
  readonly creatorUserId: string | null;
  readonly designatedVersion: number;
  readonly designatedVersionId: string;
  readonly versionCount: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface PresetVersionRow {
  readonly versionId: string;
  readonly presetId: string;
  readonly version: number;
  readonly config: string;
  readonly systemPrompt: string | null;
  readonly creatorId: string;
  readonly createdAt: Date;
}

interface Of {
  readonly accountId: string;
  readonly workspaceId: string;
}

const presetColumns = `
  presets.preset_id AS "presetId", workspace_id AS "workspaceId", slug, name, description, status,
  status_updated_at AS "statusUpdatedAt", creator_user_id AS "creatorUserId",
  designated_version AS "designatedVersion", version_count AS "versionCount",
  (SELECT version_id FROM preset_versions AS one
   WHERE one.preset_id = presets.preset_id AND version = designated_version)
    AS "designatedVersionId",
  created_at AS "createdAt", updated_at AS "updatedAt"`;

const versionColumns = `
  version_id AS "versionId", preset_id AS "presetId", version, config,
  system_prompt AS "systemPrompt", creator_id AS "creatorId", created_at AS "createdAt"`;

/** Returns the preset of that workspace; undefined when it has none of that slug. */
export async function findPreset(
  readModel: AccountReads,
  { accountId, workspaceId, slug }: Of & { readonly slug: string },
): Promise<PresetRow | undefined> {
  const [row] = await readModel.forAccount(accountId).query<PresetRow>({
    name: 'find-preset',
    text: `SELECT ${presetColumns} FROM presets
           WHERE account_id = $1 AND workspace_id = $2 AND slug = $3`,
    values: [accountId, workspaceId, slug],
  });
  return row;
}

/** Returns a page of the presets of a workspace, the last changed one first. */
export async function listPresets(
  readModel: AccountReads,
  { accountId, workspaceId, offset, limit }: Of & Page,
): Promise<readonly PresetRow[]> {
  return await readModel.forAccount(accountId).query<PresetRow>({
    name: 'list-presets',
    text: `SELECT ${presetColumns} FROM presets WHERE account_id = $1 AND workspace_id = $2
           ORDER BY updated_at DESC, preset_id LIMIT $4 OFFSET $3`,
    values: [accountId, workspaceId, offset, limit],
  });
}

export async function countPresets(
  readModel: AccountReads,
  { accountId, workspaceId }: Of,
): Promise<number> {
  const [row] = await readModel.forAccount(accountId).query<{ count: bigint }>({
    name: 'count-presets',
    text: 'SELECT count(*) FROM presets WHERE account_id = $1 AND workspace_id = $2',
    values: [accountId, workspaceId],
  });
  return Number(row?.count ?? 0n);
}

/** Returns a version of a preset; undefined when there is none of that number. */
export async function findPresetVersion(
  readModel: AccountReads,
  asked: { readonly accountId: string; readonly presetId: string; readonly version: number },
): Promise<PresetVersionRow | undefined> {
  const [row] = await readModel.forAccount(asked.accountId).query<PresetVersionRow>({
    name: 'find-preset-version',
    text: `SELECT ${versionColumns} FROM preset_versions
           WHERE account_id = $1 AND preset_id = $2 AND version = $3`,
    values: [asked.accountId, asked.presetId, asked.version],
  });
  return row;
}

/** Returns a page of the versions of a preset, the newest first. */
export async function listPresetVersions(
  readModel: AccountReads,
  asked: { readonly accountId: string; readonly presetId: string } & Page,
): Promise<readonly PresetVersionRow[]> {
  return await readModel.forAccount(asked.accountId).query<PresetVersionRow>({
    name: 'list-preset-versions',
    text: `SELECT ${versionColumns} FROM preset_versions
           WHERE account_id = $1 AND preset_id = $2
           ORDER BY version DESC LIMIT $4 OFFSET $3`,
    values: [asked.accountId, asked.presetId, asked.offset, asked.limit],
  });
}
