import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@sluice/logging';
import type { Spool } from '@sluice/spool';
import type { Outbox } from './outbox.ts';

/** The number of waiting facts at which routing stops admitting requests, so that no fact is lost. */
const uncountedMax = 50_000;
/** The used fraction of the spool disk at which routing stops admitting requests. */
const diskUsedMax = 0.85;
const intervalMsDefault = 5_000;

/** The reasons why no request is admitted, and their sentences. */
export const closedReasons = {
  starting: 'routing is starting',
  stopping: 'routing is stopping',
  disk: 'the disk under the usage spool is nearly full',
  usage: 'too much usage waits for the ledger',
} as const;
export type ClosedReason = keyof typeof closedReasons;

/** Decides whether usage can still be written. Otherwise routing admits no request. */
export class Admission {
  readonly #spool: Pick<Spool, 'diskUsed'>;
  readonly #outbox: Outbox;
  readonly #logger: Logger;
  readonly #intervalMs: number;
  #phase: 'starting' | 'open' | 'stopping' = 'starting';
  #diskUsed = 0;

  constructor(options: {
    readonly spool: Pick<Spool, 'diskUsed'>;
    readonly outbox: Outbox;
    readonly logger: Logger;
    readonly intervalMs?: number;
  }) {
    this.#spool = options.spool;
    this.#outbox = options.outbox;
    this.#logger = options.logger;
    this.#intervalMs = options.intervalMs ?? intervalMsDefault;
  }

  open(): void {
    this.#phase = 'open';
  }

  close(): void {
    this.#phase = 'stopping';
  }

  /** Returns the reason why no request is admitted, or undefined. */
  get closedBecause(): ClosedReason | undefined {
    if (this.#phase !== 'open') return this.#phase;
    if (this.#diskUsed >= diskUsedMax) return 'disk';
    if (this.#outbox.size >= uncountedMax) return 'usage';
    return undefined;
  }

  /** The used fraction at the last check, from 0 to 1. */
  get diskUsed(): number {
    return this.#diskUsed;
  }

  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        this.#diskUsed = await this.#spool.diskUsed();
      } catch (error) {
        this.#logger.warn('how full the disk is cannot be told', { error });
      }
      await delay(this.#intervalMs, undefined, { signal }).catch(() => {});
    }
  }
}
