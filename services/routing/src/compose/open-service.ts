import { join } from 'node:path';
import { type CheckedRoute, createCheckedRoute, createEgress } from '@sluice/egress';
import { createUpstream, type Upstream } from '@sluice/providers';
import { createMcpClient } from '@sluice/mcp-client';
import { createWebFetcher } from '@sluice/web-fetch';
import { type Env, onHangup } from '@sluice/boot';
import { remoteModerator } from '@sluice/moderation';
import { openSpool } from '@sluice/spool';
import {
  atMidnight,
  parseAside,
  type ReloadingCatalog,
  reloadingCatalog,
  watchFileChanges,
} from '@sluice/catalog';
import {
  catalogOf,
  loadByokTerms,
  loadLastKnownMsMax,
  loadDurability,
  loadKeptBytesMax,
  loadLimits,
  loadModeration,
} from './config.ts';
import { loadAlignment } from './alignment-config.ts';
import { loadProxy } from './proxy-config.ts';
import { loadFileParser, openFileEngines } from './file-parser-config.ts';
import { loadEgress, loadPrivateAddresses } from './web-fetch-config.ts';
import { loadImageModel, loadToolLimits } from './tool-config.ts';
import { openPageEngines, openSearchEngines } from './web-search-config.ts';
import { createService, type RoutingDeps, type RoutingService } from './create-service.ts';
import { openReplica } from '../usage/journal/replica.ts';

export interface OpenOptions extends Pick<
  RoutingDeps,
  | 'ledger'
  | 'policies'
  | 'credentials'
  | 'endpointUse'
  | 'accounts'
  | 'sandbox'
  | 'files'
  | 'bus'
  | 'clock'
  | 'ids'
  | 'logger'
  | 'telemetry'
  | 'limits'
  | 'random'
  | 'contentKeys'
> {
  /** Source of the catalog, provider keys and timeouts. */
  readonly env: Env;
  /** Folder of this replica alone, for its identity and its usage spool. Created if absent. */
  readonly directory: string;
  /** The spool cannot be written any more: the process has to end. */
  readonly onFatal: (error: unknown) => void;
}

/** `createService` on the real disk and the real network; `stop` closes what this opened. */
export async function openService(options: OpenOptions): Promise<RoutingService> {
  const { env, directory, onFatal, ...rest } = options;
  const { clock, logger, telemetry } = rest;
  const catalog = await openCatalog(options);
  const limits = { ...loadLimits(env), ...rest.limits };
  const toolLimits = loadToolLimits(env);
  const imageModel = loadImageModel(env);
  const alignment = loadAlignment(env);
  const durability = loadDurability(env);
  const byok = loadByokTerms(env);
  const lastKnownMsMax = loadLastKnownMsMax(env);
  const endpoint = loadModeration(env);
  const egressOptions = loadEgress(env);
  const addresses = createCheckedRoute({ allowList: loadPrivateAddresses(env) });
  const searchEngines = openSearchEngines(env);
  const pageEngines = openPageEngines(env);
  const fileEngines = openFileEngines(env);
  const fileParser = loadFileParser(env);
  const spool = await openSpool({ directory: join(directory, 'spool'), onFatal });
  try {
    if (spool.cut) logger.warn('an unfinished write was cut off the usage spool');
    const replica = await openReplica(directory, rest.ids);
    const upstream = upstreamOf(env, addresses);
    const egress = createEgress(egressOptions);
    const webFetcher = createWebFetcher({ egress });
    const service = createService({
      ...rest,
      catalog,
      limits,
      toolLimits,
      imageModel,
      alignment,
      durability,
      byok,
      lastKnownMsMax,
      searchEngines,
      pageEngines,
      fileEngines,
      fileParser,
      ...(endpoint && { moderator: remoteModerator(endpoint) }),
      webFetcher,
      mcpClient: createMcpClient({ egress }),
      spool,
      replica,
      upstream,
      addresses,
    });
    observe(catalog, telemetry);
    telemetry.observe('routing.answers.bytes', () => upstream.keptBytes());
    const endReloads = reloads(catalog, env['SLUICE_CATALOG'], () => clock.now().getTime());
    return {
      ...service,
      async stop() {
        endReloads();
        await service.stop();
        await webFetcher.stop();
        await egress.stop();
        await upstream.stop();
        await spool.stop();
      },
    };
  } catch (error) {
    await spool.stop();
    throw error;
  }
}

function openCatalog({ env, clock, logger, telemetry }: OpenOptions): Promise<ReloadingCatalog> {
  return reloadingCatalog(
    () => catalogOf(env, { instant: clock.now() }),
    () => catalogOf(env, { instant: clock.now(), parse: parseAside }),
    logger,
    (outcome) => telemetry.metrics.catalogReloads.add(1, { outcome }),
  );
}

function upstreamOf(env: OpenOptions['env'], { connect: connectPrivate }: CheckedRoute): Upstream {
  const keptBytesMax = loadKeptBytesMax(env);
  return createUpstream({ keptBytesMax, proxy: loadProxy(env), connectPrivate });
}

/** When its file changes, when it is asked for, and at midnight: some prices begin with a day. */
function reloads(
  catalog: ReloadingCatalog,
  file: string | undefined,
  nowMs: () => number,
): () => void {
  const reload = () => void catalog.reload();
  const ends = [
    ...(file ? [watchFileChanges(file, reload)] : []),
    onHangup(reload),
    atMidnight(nowMs, reload),
  ];
  return () => {
    for (const end of ends) end();
  };
}

function observe(catalog: ReloadingCatalog, { observe: show }: OpenOptions['telemetry']): void {
  show('catalog.models', () => catalog.listed.length);
  show('catalog.refused', () => Number(catalog.isRefused));
  show('catalog.version', () => catalog.version);
}
