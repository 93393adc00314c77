import { type Clock, steadyMsOf } from '@sluice/clock-and-ids';
import type { Logger } from '@sluice/logging';
import type { LedgerCalls } from './ledger-calls.ts';

export interface ModelSharesOptions {
  readonly ledger: Pick<LedgerCalls, 'listModelShares'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

const refreshMs = 600_000;
/** Older shares are not those of the last days any more. */
const ageMaxMs = 86_400_000;

interface Known {
  readonly byModel: ReadonlyMap<string, number>;
  /** Empty: they are for all accounts. */
  readonly onlyAccountId: string;
  readonly atMs: number;
}

/** The share that each model has of the spend of seven days. It is asked for only when a router ranks by it. */
export class ModelShares {
  readonly #options: ModelSharesOptions;
  readonly #nowMs: () => number;
  #known: Known | undefined;
  #askedAtMs = -Infinity;

  constructor(options: ModelSharesOptions) {
    this.#options = options;
    this.#nowMs = steadyMsOf(options.clock);
  }

  /**
   * Returns the last known shares, and asks the ledger for newer ones in the background. Undefined: none are known, or
   * they are those of another account.
   */
  find(accountId: string): ReadonlyMap<string, number> | undefined {
    const nowMs = this.#nowMs();
    if (nowMs - this.#askedAtMs >= refreshMs) {
      this.#askedAtMs = nowMs;
      void this.#ask(nowMs);
    }
    const known = this.#known;
    if (!known || known.byModel.size === 0 || nowMs - known.atMs > ageMaxMs) return undefined;
    if (known.onlyAccountId !== '' && known.onlyAccountId !== accountId) return undefined;
    return known.byModel;
  }

  async #ask(atMs: number): Promise<void> {
    const { ledger, logger } = this.#options;
    try {
      const { shares, onlyAccountId } = await ledger.listModelShares({});
      const byModel = new Map(shares.map(({ model, share }) => [model, share] as const));
      this.#known = { byModel, onlyAccountId, atMs };
    } catch (error) {
      logger.warn('the ledger gave no shares of models', { error });
    }
  }
}
