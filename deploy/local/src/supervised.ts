import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { writePrivateFile } from '@sluice/embedded';
import type { Logger } from '@sluice/logging';

/** A process that runs now. */
export interface Running {
  readonly pid: number;
  readonly exited: Promise<string>;
  stop(): Promise<void>;
}

export interface SupervisedOptions {
  readonly name: string;
  readonly pidFile: string;
  readonly start: () => Promise<Running>;
  readonly logger: Logger;
}

export interface Supervised {
  readonly name: string;
  stop(): Promise<void>;
}

const backoffMsMin = 100;
const backoffMsMax = 5_000;
/** One that ran this long starts again at once. */
const steadyMs = 30_000;

/**
 * Starts a process and starts it again whenever it ends, with pauses that grow from 100 ms to 5 s. Its
 * id is in the pid file while it runs. Throws what the first start throws.
 */
export async function supervise(options: SupervisedOptions): Promise<Supervised> {
  const { name } = options;
  const stopping = new AbortController();
  let running: Running | undefined = await startOne(options);
  const watching = watch();

  async function watch(): Promise<void> {
    let backoffMs = backoffMsMin;
    while (!stopping.signal.aborted) {
      const startedMs = performance.now();
      const sentence = running === undefined ? 'it did not start' : await running.exited;
      running = undefined;
      if (stopping.signal.aborted) return;
      if (performance.now() - startedMs > steadyMs) backoffMs = backoffMsMin;
      options.logger.warn(`${name} is started again: ${sentence}`, { durationMs: backoffMs });
      await delay(backoffMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      backoffMs = Math.min(backoffMsMax, backoffMs * 2);
      if (!stopping.signal.aborted)
        running = await startOne(options).catch((error: unknown) => {
          options.logger.error(`${name} could not be started`, { error });
          return undefined;
        });
    }
  }

  return {
    name,
    async stop() {
      stopping.abort();
      await running?.stop();
      await watching;
      // It may have been starting meanwhile.
      await running?.stop();
      await rm(options.pidFile, { force: true });
    },
  };
}

async function startOne({ pidFile, start }: SupervisedOptions): Promise<Running> {
  const running = await start();
  await writePrivateFile(pidFile, `${running.pid}\n`);
  return running;
}
