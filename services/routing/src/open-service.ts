import { join } from 'node:path';
import { createUpstream } from '@sluice/providers';
import { openSpool } from '@sluice/spool';
import { reloadingCatalog } from './catalog/reloading-catalog.ts';
import { watchFileChanges } from './catalog/watch-file.ts';
import { catalogOf, loadByokTerms, loadDurability, loadLimits } from './config.ts';
import { createService, type RoutingDeps, type RoutingService } from './create-service.ts';
import { openReplica } from './usage/replica.ts';

export interface OpenOptions extends Pick<
  RoutingDeps,
  'ledger' | 'policies' | 'credentials' | 'bus' | 'clock' | 'ids' | 'logger' | 'telemetry'
> {
  /** Where catalogue, provider keys and time-outs are read from. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of this replica alone: its identity and its usage spool. Made when absent. */
  readonly directory: string;
  /** The spool cannot be written any more: the process has to end. */
  readonly onFatal: (error: unknown) => void;
}

/** `createService` on the real disk and the real network; `stop` closes what this opened. */
export async function openService(options: OpenOptions): Promise<RoutingService> {
  const { env, directory, onFatal, ...rest } = options;
  const catalog = await reloadingCatalog(() => catalogOf(env, rest.clock.now()), rest.logger);
  const limits = loadLimits(env);
  const durability = loadDurability(env);
  const byok = loadByokTerms(env);
  const spool = await openSpool({ directory: join(directory, 'spool'), onFatal });
  try {
    if (spool.cut) rest.logger.warn('an unfinished write was cut off the usage spool');
    const replica = await openReplica(directory, rest.ids);
    const upstream = createUpstream();
    const service = createService({
      ...rest,
      catalog,
      limits,
      durability,
      byok,
      spool,
      replica,
      upstream,
    });
    const file = env['SLUICE_CATALOG'];
    const unwatch = file ? watchFileChanges(file, () => void catalog.reload()) : undefined;
    return {
      ...service,
      async stop() {
        unwatch?.();
        await service.stop();
        await upstream.stop();
        await spool.stop();
      },
    };
  } catch (error) {
    await spool.stop();
    throw error;
  }
}
