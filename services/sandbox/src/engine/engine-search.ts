import type { Logger } from '@sluice/logging';
import type { Engine, FoundEngine } from './engine.ts';

export interface EngineSearchOptions {
  readonly first: FoundEngine;
  /** If undefined, the settings want no engine. */
  readonly findAgain: (() => Promise<FoundEngine>) | undefined;
  readonly onFound: (engine: Engine) => void;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly pausesMs?: { readonly first: number; readonly longest: number };
}

const pausesUsual = { first: 5_000, longest: 300_000 };

/**
 * Looks for an engine again while there is none, after pauses that double. An engine that is away or busy when the
 * service starts is not given up.
 */
export class EngineSearch {
  readonly #options: EngineSearchOptions;
  #found: FoundEngine;
  #pauseMs: number;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: EngineSearchOptions) {
    this.#options = options;
    this.#found = options.first;
    this.#pauseMs = (options.pausesMs ?? pausesUsual).first;
  }

  get engine(): Engine | undefined {
    return 'missing' in this.#found ? undefined : this.#found;
  }

  /** The measures of the engine, or the reason why there is none. */
  get description(): string {
    return 'missing' in this.#found ? this.#found.missing : this.#found.description;
  }

  start(): void {
    const { findAgain } = this.#options;
    if (this.engine || !findAgain || this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#look(findAgain);
    }, this.#pauseMs);
    this.#timer.unref();
  }

  /** Waits for a search that has begun. What it finds is stopped. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#looking;
  }

  async #look(findAgain: () => Promise<FoundEngine>): Promise<void> {
    const { logger, onFound, pausesMs = pausesUsual } = this.#options;
    let found: FoundEngine;
    try {
      found = await findAgain();
    } catch (error) {
      logger.warn('the search for an engine of the sandbox failed', { error });
      found = { missing: this.description };
    }
    if ('missing' in found) {
      this.#found = found;
      this.#pauseMs = Math.min(pausesMs.longest, this.#pauseMs * 2);
      this.start();
      return;
    }
    if (this.#isStopped) {
      await found.stop();
      return;
    }
    this.#found = found;
    logger.info(`sandbox: ${found.description}`);
    onFound(found);
  }
}
