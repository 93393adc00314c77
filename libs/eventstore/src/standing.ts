import { Fault } from '@sluice/errors';
import { describeFailure, describeRefusal, isAnswer, isRefused, isTransient } from './failure.ts';
import { Outage } from './outage.ts';

/** How the event store is doing, as far as its last answers and failures tell. */
export interface StoreStanding {
  /**
   * `unknown`: nothing was asked yet. `away`: calls have failed for 3 s or longer. `refused`: the
   * store answers, and takes neither the credentials nor the right to do what was asked.
   */
  readonly state: 'unknown' | 'reachable' | 'away' | 'refused';
  /** Unix time in milliseconds from which on it is so. */
  readonly sinceMs: number;
  /** The text of the last failure, without secrets. Empty when the store is reachable or unknown. */
  readonly reason: string;
}

/** The kinds of calls to the store; each needs a right of its own. */
export type Asked = 'read' | 'readAll' | 'append' | 'subscribe';

/** How long a call is tried: to its caller's deadline, or once, to find out whether the store is back. */
export type Admission = 'try' | 'probe';

/** An outage that no call has met for so long says nothing any more. Subscriptions try all the time. */
const forgottenMs = { connection: 30_000, writes: 10_000 };
/** A node that hangs is left for another one after so long. */
const lostAfterMs = 2_500;
const retryAfterSeconds = 1;

/**
 * Keeps what the calls of one connection have learned about the store. Reads and subscriptions tell
 * whether it can be reached; appends also tell whether it takes writes, which it does not without a
 * majority of its nodes.
 */
export class Standing {
  readonly #connection = new Outage(forgottenMs.connection);
  readonly #writes = new Outage(forgottenMs.writes);
  readonly #now: () => number;
  readonly #startedMs: number;
  #heardMs: number;
  #leftMs: number;
  #reachableSinceMs: number | undefined;
  readonly #refused = new Map<Asked, { readonly sinceMs: number; readonly reason: string }>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
    this.#startedMs = now();
    this.#heardMs = this.#startedMs;
    this.#leftMs = this.#startedMs;
  }

  /** An answer arrived. One to an append shows that the store takes writes. */
  heard(asked: Asked): void {
    this.#refused.delete(asked);
    this.#answered(asked);
  }

  /** A call that began then has failed. A refusal is an answer, too; a failure of our own is none. */
  failed(asked: Asked, error: unknown, sinceMs = this.#now()): void {
    if (isTransient(error)) {
      const outage = asked === 'append' ? this.#writes : this.#connection;
      const reason = describeFailure(error);
      outage.failed({ sinceMs: Math.max(sinceMs, this.#heardMs), nowMs: this.#now(), reason });
    } else if (isRefused(error)) {
      this.#answered(asked);
      const reason = describeRefusal(asked, error);
      if (!this.#refused.has(asked)) this.#refused.set(asked, { sinceMs: this.#heardMs, reason });
    } else if (isAnswer(error)) this.heard(asked);
  }

  /** True when nothing was heard for so long that the connection should be left; once in a while. */
  isConnectionLost(): boolean {
    const nowMs = this.#now();
    if (nowMs - Math.max(this.#heardMs, this.#leftMs) < lostAfterMs) return false;
    this.#leftMs = nowMs;
    return true;
  }

  /** True when nothing has been answered for so long that calls on their way stop waiting, too. */
  isSilent(): boolean {
    return this.#connection.isLong(this.#now());
  }

  admitRead(): Admission {
    return admit([this.#connection], this.#now());
  }

  admitAppend(): Admission {
    return admit([this.#connection, this.#writes], this.#now());
  }

  /** Reads what is known; asks nobody. */
  standing(): StoreStanding {
    const nowMs = this.#now();
    const outage = [this.#connection, this.#writes].find((one) => one.isLong(nowMs));
    if (outage) return { state: 'away', ...outage.facts() };
    const [refused] = this.#refused.values();
    if (refused) return { state: 'refused', ...refused };
    const since = this.#reachableSinceMs;
    if (since === undefined) return { state: 'unknown', sinceMs: this.#startedMs, reason: '' };
    return { state: 'reachable', sinceMs: since, reason: '' };
  }

  #answered(asked: Asked): void {
    // Writes may have failed for the reason for which reads did. The next one finds out.
    if (this.#connection.end() || asked === 'append') this.#writes.end();
    this.#heardMs = this.#now();
    this.#reachableSinceMs ??= this.#heardMs;
  }
}

/** Throws at once while the store is known to be away, save for one call in a while. */
function admit(outages: readonly Outage[], nowMs: number): Admission {
  const known = outages.filter((outage) => outage.isLong(nowMs));
  if (known.length === 0) return 'try';
  if (known.every((outage) => outage.mayProbe(nowMs))) {
    for (const outage of known) outage.probed(nowMs);
    return 'probe';
  }
  const { reason } = (known[0] as Outage).facts();
  throw new Fault('event_store_unavailable', { message: reason, retryAfterSeconds });
}
