import type { Logger } from '@sluice/logging';

export interface Stoppable {
  readonly name: string;
  stop(): Promise<void>;
}

/**
 * Started things in order; stopped in reverse, each with what is left of one total deadline.
 * A failed stop is logged and does not keep the others from stopping.
 */
export class Lifecycle {
  readonly #started: Stoppable[] = [];
  readonly #logger: Logger;
  #stopping: Promise<void> | undefined;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  add<T extends Stoppable>(part: T): T {
    this.#started.push(part);
    return part;
  }

  /** The same promise however often it is called. */
  stop(timeoutMs = 10_000): Promise<void> {
    this.#stopping ??= this.#stopAll(performance.now() + timeoutMs);
    return this.#stopping;
  }

  async #stopAll(deadlineMs: number): Promise<void> {
    for (const part of this.#started.toReversed()) {
      const leftMs = Math.max(100, deadlineMs - performance.now());
      await within(part.stop(), leftMs).catch((error: unknown) =>
        this.#logger.warn(`stopping ${part.name} failed`, { error }),
      );
    }
  }
}

async function within(work: Promise<void>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`not stopped within ${timeoutMs} ms`)), timeoutMs);
  });
  await Promise.race([work, expired]).finally(() => clearTimeout(timer));
}

/** Resolves with the first SIGINT or SIGTERM; a second one ends the process at once. */
export function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let asked = false;
    const onSignal = (signal: NodeJS.Signals) => {
      if (asked) process.exit(130);
      asked = true;
      resolve(signal);
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
}

/**
 * Calls back at each SIGHUP; answers how to end that. In a terminal it does nothing: there a hangup is the end of
 * the process, as ever.
 */
export function onHangup(listener: () => void): () => void {
  if (process.stdout.isTTY) return () => {};
  process.on('SIGHUP', listener);
  return () => process.off('SIGHUP', listener);
}
