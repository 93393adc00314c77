import { isObject } from '@sluice/client-schemas';
import { Fault } from '@sluice/errors';
import type { WorkspaceServiceService } from '@sluice/protos/sluice/workspace/v1/workspace';
import { createRemoteCache, type RemoteCache, type RemoteCacheOptions } from '@sluice/remote-cache';
import type { Calls } from '@sluice/rpc';
import type { Preset } from '../request/named-models.ts';
import { parseJson } from '../request/parse-json.ts';

/** Names a preset of a workspace. */
export interface PresetQuestion {
  readonly accountId: string;
  readonly workspaceId: string;
  readonly slug: string;
}

/** Cached presets. undefined: the workspace has no active one of that slug. */
export type Presets = RemoteCache<PresetQuestion, Preset | undefined>;

/** The call about presets, over the network or in the same process. */
export type PresetCalls = Pick<Calls<typeof WorkspaceServiceService>, 'resolvePreset'>;

/** Each has at most 131,072 characters. */
const entriesMax = 500;

export function createPresets(
  options: Omit<
    RemoteCacheOptions<PresetQuestion, Preset | undefined>,
    'groupOf' | 'nameOf' | 'isNone' | 'entriesMax'
  >,
): Presets {
  return createRemoteCache({
    ...options,
    entriesMax,
    groupOf: ({ accountId }) => accountId,
    nameOf: ({ workspaceId, slug }) => `${workspaceId}\0${slug}`,
    isNone: (preset) => preset === undefined,
  });
}

/** Throws if the service does not answer or its answer is invalid. Routing then refuses the request. */
export async function askPreset(
  calls: PresetCalls,
  question: PresetQuestion,
): Promise<Preset | undefined> {
  const found = await calls.resolvePreset(question).catch((error: unknown) => {
    if (error instanceof Fault && error.code === 'not_found') return undefined;
    throw error;
  });
  if (!found) return undefined;
  const { presetId: id, version } = found;
  const config = parseJson(version?.config ?? '');
  if (!version || !isObject(config))
    throw new Fault('internal', { cause: new Error(`the preset ${id} has no configuration`) });
  const { cache_enabled: cacheEnabled, cache_ttl_seconds: cacheTtlSeconds } = config;
  return {
    id,
    slug: question.slug,
    version: version.version,
    content: { config, systemPrompt: version.systemPrompt ?? null },
    ...(typeof cacheEnabled === 'boolean' && { cacheEnabled }),
    ...(typeof cacheTtlSeconds === 'number' && { cacheTtlSeconds }),
  };
}
