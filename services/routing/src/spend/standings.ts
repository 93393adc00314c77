import { Fault } from '@sluice/errors';
import type { Principal } from '@sluice/inference';
import type { GetStandingResponse, WindowUsage } from '@sluice/protos/sluice/ledger/v1/ledger';
import type { Clock, Logger } from '@sluice/service';
import type { SpendGate, Standing, WindowFigures } from '@sluice/spend';
import type { Outbox } from '../usage/outbox.ts';
import type { Replica } from '../usage/replica.ts';
import type { LedgerCalls } from './ledger.ts';

export interface StandingsOptions {
  readonly gate: SpendGate;
  readonly ledger: Pick<LedgerCalls, 'getStanding'>;
  readonly outbox: Outbox;
  readonly replica: Replica;
  readonly clock: Clock;
  readonly logger: Logger;
}

type KeyOfAccount = Pick<Principal, 'accountId' | 'keyHash'>;

interface Known extends KeyOfAccount {
  usedAtMs: number;
  /** The ledger counted something for this account since. */
  isChanged: boolean;
  refreshing: Promise<void> | undefined;
  failedAtMs: number;
}

/** Older than this is asked for before a request goes on. */
const ageMsMax = 5_000;
/** From this age on it is asked for beside a request that goes on. */
const refreshAgeMs = 4_000;
/** The same when the ledger said that something changed. */
const changedAgeMs = 1_000;
/** While the ledger is away, what is known may be used until this age; then nothing is admitted. */
const ageMsWithoutLedgerMax = 30_000;
/** A ledger that just failed is left alone for a moment. */
const retryAfterMs = 1_000;
/** A refusal asks the ledger again, unless what is known is younger than this. */
const refusalAgeMs = 250;
/** A key that nobody used for so long is forgotten. */
const idleMs = 300_000;
const knownMax = 200_000;

/** Keeps the gate's standings of the keys in use fresh, so that a warm request asks nobody. */
export class Standings {
  readonly #options: StandingsOptions;
  /** Account id → key hash → what is known. */
  readonly #accounts = new Map<string, Map<string, Known>>();
  #size = 0;

  constructor(options: StandingsOptions) {
    this.#options = options;
  }

  /**
   * undefined: the gate knows enough, now. Otherwise resolves when it does; throws unavailable when the
   * ledger cannot be asked and what is known is too old.
   */
  ready(principal: KeyOfAccount): Promise<void> | undefined {
    const known = this.#entry(principal);
    const nowMs = this.#nowMs();
    known.usedAtMs = nowMs;
    const ageMs = this.#ageMs(known, nowMs);
    if (ageMs > ageMsMax) return this.#require(known);
    if (ageMs > (known.isChanged ? changedAgeMs : refreshAgeMs))
      this.#refresh(known).catch(() => {});
    return undefined;
  }

  /** For a request that would be refused: true when the gate has learnt something newer. */
  async again(principal: KeyOfAccount): Promise<boolean> {
    const known = this.#entry(principal);
    if (this.#ageMs(known, this.#nowMs()) < refusalAgeMs && !known.isChanged) return false;
    return this.#refresh(known).then(
      () => true,
      () => false,
    );
  }

  /** The ledger counted something for an account. */
  changed(accountId: string): void {
    for (const known of this.#accounts.get(accountId)?.values() ?? []) known.isChanged = true;
  }

  /** Lets go of what nobody used for a while. */
  forgetIdle(): void {
    const beforeMs = this.#nowMs() - idleMs;
    for (const [accountId, keys] of this.#accounts) {
      for (const [keyHash, known] of keys)
        if (known.usedAtMs < beforeMs && !known.refreshing && keys.delete(keyHash)) this.#size -= 1;
      if (keys.size === 0) this.#accounts.delete(accountId);
    }
    this.#options.gate.forgetIdle(new Date(beforeMs), this.#options.outbox.watermarks);
  }

  async #require(known: Known): Promise<void> {
    try {
      await this.#refresh(known);
    } catch (cause) {
      if (this.#ageMs(known, this.#nowMs()) <= ageMsWithoutLedgerMax) return;
      throw new Fault('unavailable', { retryAfterSeconds: 1, cause });
    }
  }

  /** One question at a time for each key. */
  #refresh(known: Known): Promise<void> {
    if (known.refreshing) return known.refreshing;
    const sinceFailureMs = this.#nowMs() - known.failedAtMs;
    if (sinceFailureMs >= 0 && sinceFailureMs < retryAfterMs)
      return Promise.reject(new Fault('unavailable'));
    known.isChanged = false;
    known.refreshing = this.#ask(known)
      .catch((error: unknown) => {
        known.failedAtMs = this.#nowMs();
        this.#options.logger.warn('the ledger does not tell where a key stands', { error });
        throw error;
      })
      .finally(() => {
        known.refreshing = undefined;
      });
    return known.refreshing;
  }

  async #ask({ accountId, keyHash }: KeyOfAccount): Promise<void> {
    const { gate, ledger, outbox, replica, clock } = this.#options;
    const at = clock.now();
    // Of earlier epochs: what was counted before this question is in its answer.
    const counted = new Map(outbox.watermarks);
    const answer = await ledger.getStanding({
      accountId,
      keyHash,
      replica: replica.id,
      epoch: replica.epoch,
      at: at.toISOString(),
    });
    counted.set(replica.epoch, answer.watermarkSequence);
    gate.applyStanding(standingOf(answer, { accountId, keyHash }, at, counted));
    outbox.counted(replica.epoch, answer.watermarkSequence);
  }

  #entry({ accountId, keyHash }: KeyOfAccount): Known {
    const known = this.#accounts.get(accountId)?.get(keyHash);
    if (known) return known;
    if (this.#size >= knownMax) throw new Fault('unavailable', { retryAfterSeconds: 1 });
    const entry: Known = {
      accountId,
      keyHash,
      usedAtMs: this.#nowMs(),
      isChanged: false,
      refreshing: undefined,
      failedAtMs: -Infinity,
    };
    const keys = this.#accounts.get(accountId) ?? new Map<string, Known>();
    this.#accounts.set(accountId, keys.set(keyHash, entry));
    this.#size += 1;
    return entry;
  }

  #ageMs(key: KeyOfAccount, nowMs: number): number {
    const since = this.#options.gate.knownSince(key);
    return since === undefined ? Infinity : nowMs - since.getTime();
  }

  #nowMs(): number {
    return this.#options.clock.now().getTime();
  }
}

function standingOf(
  answer: GetStandingResponse,
  { accountId, keyHash }: KeyOfAccount,
  at: Date,
  watermarks: ReadonlyMap<bigint, bigint>,
): Standing {
  return {
    accountId,
    keyHash,
    at,
    creditsNanoUsd: answer.creditsNanoUsd,
    usageNanoUsd: answer.usageNanoUsd,
    keyUsage: figures(answer.key?.credits),
    keyByokUsage: figures(answer.key?.byok),
    watermarks,
  };
}

function figures(usage: WindowUsage | undefined): WindowFigures {
  return {
    lifetime: usage?.lifetimeNanoUsd ?? 0n,
    daily: usage?.dailyNanoUsd ?? 0n,
    weekly: usage?.weeklyNanoUsd ?? 0n,
    monthly: usage?.monthlyNanoUsd ?? 0n,
  };
}
