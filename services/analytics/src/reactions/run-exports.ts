import { setTimeout as delay } from 'node:timers/promises';
import type { Ids } from '@sluice/clock-and-ids';
import { carryOut, type ExportWorker } from '../exports/carry-out.ts';

export interface RunExportsOptions extends ExportWorker {
  readonly ids: Ids;
  /** Resolves when a job was added here. Jobs that were added elsewhere are found later. */
  readonly added: () => Promise<unknown>;
  readonly intervalMs?: number;
}

/** The jobs of this process at once. Each has a connection of the questions and a thread. */
const places = 2;
const intervalMsDefault = 5_000;
const forgetMs = 3_600_000;

/** Makes the files of exports, one behind the other in each place, until the signal aborts. */
export async function runExports(options: RunExportsOptions): Promise<void> {
  await Promise.all([...Array.from({ length: places }, () => runPlace(options)), forget(options)]);
}

async function runPlace(options: RunExportsOptions): Promise<void> {
  const { jobs, ids, added, logger, signal, intervalMs = intervalMsDefault } = options;
  while (!signal.aborted) {
    try {
      const owner = ids.next();
      const job = await jobs.claim(owner);
      if (job) {
        await carryOut(job, owner, options);
        continue;
      }
    } catch (error) {
      logger.warn('exports cannot be made now', { error });
    }
    const rest = delay(intervalMs, undefined, { signal }).catch(() => undefined);
    await Promise.race([rest, added()]);
  }
}

async function forget({ jobs, logger, signal }: RunExportsOptions): Promise<void> {
  while (!signal.aborted) {
    try {
      await jobs.forget();
    } catch (error) {
      logger.warn('finished exports cannot be forgotten now', { error });
    }
    await delay(forgetMs, undefined, { signal }).catch(() => undefined);
  }
}
