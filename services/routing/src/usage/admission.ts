import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@sluice/service';
import type { Spool } from '@sluice/spool';
import type { Outbox } from './outbox.ts';

/** Facts that wait for the ledger: beyond them nothing is admitted before anything is lost. */
const uncountedMax = 50_000;
/** Of the disk under the spool. */
const diskUsedMax = 0.85;
const diskIntervalMs = 5_000;

/** Says whether usage can still be written down; without that nothing is served. */
export class Admission {
  readonly #spool: Pick<Spool, 'diskUsed'>;
  readonly #outbox: Outbox;
  readonly #logger: Logger;
  #phase: 'starting' | 'open' | 'stopping' = 'starting';
  #isDiskFull = false;

  constructor(options: {
    readonly spool: Pick<Spool, 'diskUsed'>;
    readonly outbox: Outbox;
    readonly logger: Logger;
  }) {
    this.#spool = options.spool;
    this.#outbox = options.outbox;
    this.#logger = options.logger;
  }

  open(): void {
    this.#phase = 'open';
  }

  close(): void {
    this.#phase = 'stopping';
  }

  /** undefined: requests are admitted. */
  get closedBecause(): string | undefined {
    if (this.#phase !== 'open') return `routing is ${this.#phase}`;
    if (this.#isDiskFull) return 'the disk under the usage spool is nearly full';
    if (this.#outbox.size >= uncountedMax) return 'too much usage waits for the ledger';
    return undefined;
  }

  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        this.#isDiskFull = (await this.#spool.diskUsed()) >= diskUsedMax;
      } catch (error) {
        this.#logger.warn('how full the disk is cannot be told', { error });
      }
      await delay(diskIntervalMs, undefined, { signal }).catch(() => {});
    }
  }
}
