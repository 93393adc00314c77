import { derivedId } from '@sluice/clock-and-ids';
import {
  isPresetFormat,
  isPresetSlug,
  presetSlugRule,
  readPresetBody,
} from '@sluice/client-schemas/presets';
import {
  Fault,
  invalidRequest,
  invalidValue,
  rejectionToFault,
  requireAccepted,
} from '@sluice/errors';
import type {
  Preset as PresetMessage,
  PresetVersion as VersionMessage,
} from '@sluice/protos/sluice/workspace/v1/preset';
import { commandContext } from '@sluice/rpc';
import type { PresetChanges, PresetStatus } from '../domain/preset/events.ts';
import { isUuid } from '../domain/workspace/settings.ts';
import {
  countPresets,
  findPreset,
  findPresetVersion,
  listPresets,
  listPresetVersions,
  type PresetRow,
  type PresetVersionRow,
} from '../queries/preset-rows.ts';
import { presetEvents, presetId } from '../store/preset-events.ts';
import type { Handlers, WorkspaceRpcDependencies } from './dependencies.ts';
import { requirePage } from './page.ts';
import { workspaceOrDefault } from './require-workspace.ts';

/** A new preset counts those that the read model shows, so a few more may be made at once. */
const presetsMax = 500;
const statuses: readonly PresetStatus[] = ['active', 'disabled', 'archived'];

/** Presets and their versions. */
export function presetCalls(dependencies: WorkspaceRpcDependencies) {
  return { ...changing(dependencies), ...reading(dependencies) };
}

function changing(dependencies: WorkspaceRpcDependencies) {
  const { eventStore, readModel, clock, publishChange, shown } = dependencies;
  const handle = presetEvents.handler(eventStore);

  type Context = ReturnType<typeof commandContext>;
  async function carryOut(
    id: string,
    command: Parameters<typeof handle>[1],
    context: Context,
  ): Promise<void> {
    const handled = requireAccepted(await handle(id, command, context));
    await shown.presets(handled.position, context.signal);
    if (handled.events.length > 0) publishChange({ accountId: context.accountId });
  }

  return {
    async savePreset({ context: sent, workspaceRef, slug, format, body, creatorUserId }) {
      const context = commandContext(sent, clock.now());
      const { accountId, occurredAt, commandId, actor } = context;
      const content = contentOf(format, body);
      if (!isPresetSlug(slug)) throw invalidValue('slug', presetSlugRule);
      const workspaceId = await workspaceOrDefault(readModel, accountId, workspaceRef);
      const place = { accountId, workspaceId };
      if (!(await findPreset(readModel, { ...place, slug })))
        if ((await countPresets(readModel, place)) >= presetsMax)
          throw new Fault('conflict', {
            message: `The workspace has ${presetsMax} presets, which is the limit`,
          });
      const id = presetId(workspaceId, slug);
      await carryOut(
        id,
        {
          type: 'SavePreset',
          ...place,
          presetId: id,
          slug,
          versionId: derivedId('preset version', id, commandId),
          ...content,
          createdBy: creatorUserId ?? null,
          creatorId: creatorUserId ?? actor.id,
          occurredAt,
        },
        context,
      );
      return await presetAndVersion(dependencies, { ...place, slug });
    },
    async updatePreset({ context: sent, workspaceRef, slug, designatedVersion, ...request }) {
      const context = commandContext(sent, clock.now());
      const { accountId, occurredAt } = context;
      const workspaceId = await workspaceOrDefault(readModel, accountId, workspaceRef);
      const place = { accountId, workspaceId };
      const { presetId: id } = await requirePreset(dependencies, { ...place, slug });
      const changes = changesOf(request);
      const command = { type: 'UpdatePreset', ...place, changes, designatedVersion } as const;
      await carryOut(id, { ...command, occurredAt }, context);
      return await presetAndVersion(dependencies, { ...place, slug });
    },
  } satisfies Partial<Handlers>;
}

function reading(dependencies: WorkspaceRpcDependencies) {
  const { readModel } = dependencies;
  return {
    async getPreset({ accountId, workspaceRef, slug, version }) {
      const workspaceId = await workspaceOrDefault(readModel, accountId, workspaceRef);
      return await presetAndVersion(dependencies, { accountId, workspaceId, slug }, version);
    },
    async listPresets({ accountId, workspaceRef, offset, limit }) {
      requirePage({ offset, limit });
      const workspaceId = await workspaceOrDefault(readModel, accountId, workspaceRef);
      const [rows, totalCount] = await Promise.all([
        listPresets(readModel, { accountId, workspaceId, offset, limit }),
        countPresets(readModel, { accountId, workspaceId }),
      ]);
      return { presets: rows.map(presetMessage), totalCount };
    },
    async listPresetVersions({ accountId, workspaceRef, slug, offset, limit }) {
      requirePage({ offset, limit });
      const workspaceId = await workspaceOrDefault(readModel, accountId, workspaceRef);
      const { presetId: id, versionCount: totalCount } = await requirePreset(dependencies, {
        accountId,
        workspaceId,
        slug,
      });
      const of = { accountId, presetId: id, offset, limit };
      const rows = await listPresetVersions(readModel, of);
      return { versions: rows.map(versionMessage), totalCount };
    },
    async resolvePreset({ accountId, workspaceId, slug }) {
      if (!isUuid(workspaceId)) throw new Fault('not_found');
      const { preset, version } = await presetAndVersion(dependencies, {
        accountId,
        workspaceId,
        slug,
      });
      if (preset.status !== 'active') throw new Fault('not_found');
      return { presetId: preset.presetId, version };
    },
  } satisfies Partial<Handlers>;
}

interface PresetPlace {
  readonly accountId: string;
  readonly workspaceId: string;
  readonly slug: string;
}

async function requirePreset(
  { readModel }: Pick<WorkspaceRpcDependencies, 'readModel'>,
  place: PresetPlace,
): Promise<PresetRow> {
  const found = isPresetSlug(place.slug) ? await findPreset(readModel, place) : undefined;
  if (!found) throw new Fault('not_found');
  return found;
}

async function presetAndVersion(
  dependencies: Pick<WorkspaceRpcDependencies, 'readModel'>,
  place: PresetPlace,
  number?: number,
): Promise<{ preset: PresetMessage; version: VersionMessage }> {
  const preset = await requirePreset(dependencies, place);
  const { accountId } = place;
  const version = await findPresetVersion(dependencies.readModel, {
    accountId,
    presetId: preset.presetId,
    version: number ?? preset.designatedVersion,
  });
  if (!version) throw new Fault('not_found');
  return { preset: presetMessage(preset), version: versionMessage(version) };
}

/** Reads the part of a body that a preset keeps. Throws invalid_request with the paths of the fields that are wrong. */
function contentOf(format: string, body: string) {
  if (!isPresetFormat(format)) throw invalidValue('format', 'must be a format of requests');
  const read = readPresetBody(format, parsed(body));
  if ('problems' in read) throw rejectionToFault(invalidRequest(read.problems));
  return { config: JSON.stringify(read.config), systemPrompt: read.systemPrompt };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Changes {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly status?: string | undefined;
}

function changesOf({ name, description, status }: Changes): PresetChanges {
  const known = statuses.find((one) => one === status);
  if (status !== undefined && !known)
    throw invalidValue('status', `must be one of ${statuses.join(', ')}`);
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description: description || null }),
    ...(known && { status: known }),
  };
}

function presetMessage(row: PresetRow): PresetMessage {
  const { description, statusUpdatedAt, creatorUserId, createdAt, updatedAt, ...same } = row;
  return {
    ...same,
    description: description ?? undefined,
    statusUpdatedAt: statusUpdatedAt?.toISOString(),
    creatorUserId: creatorUserId ?? undefined,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

function versionMessage({ systemPrompt, createdAt, ...row }: PresetVersionRow): VersionMessage {
  return {
    ...row,
    systemPrompt: systemPrompt ?? undefined,
    createdAt: createdAt.toISOString(),
  };
}
