import { readPresetBody } from '@sluice/client-schemas/presets';
import { Fault, invalidRequest, rejectionToFault } from '@sluice/errors';
import type { ModelAlias } from '@sluice/protos/sluice/workspace/v1/model_alias';
import type { Preset, PresetVersion } from '@sluice/protos/sluice/workspace/v1/preset';
import type { WorkspaceCalls } from '../clients/calls.ts';

type RouteCalls = Pick<
  WorkspaceCalls,
  | 'savePreset'
  | 'updatePreset'
  | 'getPreset'
  | 'listPresets'
  | 'listPresetVersions'
  | 'setModelAlias'
  | 'deleteModelAlias'
  | 'listModelAliases'
>;

const createdAt = '2026-11-20T12:00:00.000Z';
const uuid = '33333333-3333-4333-8333-333333333333';

/** The workspace service's presets and aliases over maps, without most of its rules. */
export function inMemoryRoutes(): RouteCalls {
  const presets = new Map<string, { preset: Preset; versions: PresetVersion[] }>();
  const aliases = new Map<string, { readonly accountId: string; readonly alias: ModelAlias }>();
  const keyOf = (accountId = '', workspaceRef = '', slug = '') =>
    [accountId, workspaceRef, slug].join(' ');
  const find = (key: string) => {
    const found = presets.get(key);
    if (!found) throw new Fault('not_found');
    return found;
  };
  const answerOf = ({ preset, versions }: ReturnType<typeof find>, number?: number) => {
    const version = versions[(number ?? preset.designatedVersion) - 1];
    if (!version) throw new Fault('not_found');
    return { preset, version };
  };
  return {
    async savePreset({ context, workspaceRef, slug, format, body, creatorUserId }) {
      const read = readPresetBody(format as 'responses', JSON.parse(body));
      if ('problems' in read) throw rejectionToFault(invalidRequest(read.problems));
      const key = keyOf(context?.accountId, workspaceRef, slug);
      const { versions = [] } = presets.get(key) ?? {};
      const version = versions.length + 1;
      const made = { creatorId: creatorUserId ?? 'key', createdAt };
      const config = JSON.stringify(read.config);
      const systemPrompt = read.systemPrompt ?? undefined;
      const ids = { versionId: uuid, presetId: uuid };
      versions.push({ ...ids, version, config, systemPrompt, ...made });
      const preset: Preset = {
        presetId: uuid,
        workspaceId: workspaceRef,
        slug,
        name: slug,
        status: 'active',
        creatorUserId,
        designatedVersionId: uuid,
        designatedVersion: version,
        versionCount: version,
        createdAt,
        updatedAt: createdAt,
      };
      presets.set(key, { preset, versions });
      return answerOf(find(key));
    },
    async updatePreset({ context, workspaceRef, slug, ...changes }) {
      const key = keyOf(context?.accountId, workspaceRef, slug);
      const { preset, versions } = find(key);
      const changed = {
        ...preset,
        name: changes.name ?? preset.name,
        description: changes.description || undefined,
        status: changes.status ?? preset.status,
        designatedVersion: changes.designatedVersion ?? preset.designatedVersion,
      };
      presets.set(key, { preset: changed, versions });
      return answerOf(find(key));
    },
    getPreset: async ({ accountId, workspaceRef, slug, version }) =>
      answerOf(find(keyOf(accountId, workspaceRef, slug)), version),
    async listPresets({ accountId, workspaceRef, offset, limit }) {
      const place = keyOf(accountId, workspaceRef);
      const found = [...presets].flatMap(([key, one]) => (key.startsWith(place) ? one.preset : []));
      return { presets: found.slice(offset, offset + limit), totalCount: found.length };
    },
    async listPresetVersions({ accountId, workspaceRef, slug, offset, limit }) {
      const { versions } = find(keyOf(accountId, workspaceRef, slug));
      const found = versions.toReversed().slice(offset, offset + limit);
      return { versions: found, totalCount: versions.length };
    },
    async setModelAlias({ context, workspaceRef: workspaceId, ...values }) {
      const accountId = context?.accountId ?? '';
      const key = keyOf(accountId, workspaceId, values.name);
      const version = (aliases.get(key)?.alias.version ?? 0) + 1;
      const times = { createdAt, updatedAt: createdAt };
      const alias = { aliasId: uuid, workspaceId, ...values, version, ...times };
      aliases.set(key, { accountId, alias });
      return { alias };
    },
    async deleteModelAlias({ context, workspaceRef, name }) {
      if (!aliases.delete(keyOf(context?.accountId, workspaceRef, name)))
        throw new Fault('not_found');
      return {};
    },
    listModelAliases: async ({ accountId }) => ({
      aliases: [...aliases.values()].flatMap((one) =>
        one.accountId === accountId ? one.alias : [],
      ),
    }),
  };
}
