import { Fault } from '@sluice/errors';
import { describeFailure, describeRefusal, isAnswer, isRefused, isTransient } from './failure.ts';
import { Outage } from './outage.ts';
import { steadyUnixMs } from './steady-time.ts';

/** The state of the event store by its last answers and failures. */
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

/** The patience of a call: to its caller's deadline, or one attempt to find out whether the store is back. */
export type Admission = 'try' | 'probe';

/** An outage is forgotten when no call has met it for this long. Subscriptions try all the time. */
const forgottenMs = { connection: 30_000, writes: 10_000 };
/** Time without data after which a connection is abandoned. */
const lostAfterMs = 1_500;
/**
 * Later connections are abandoned after a tenth of the outage so far, at most a minute. Each holds a socket until
 * the hanging node resumes.
 */
const leavingShare = 0.1;
const leavingMsMax = 60_000;
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

  constructor(now: () => number = steadyUnixMs) {
    this.#now = now;
    this.#startedMs = now();
    this.#heardMs = this.#startedMs;
    this.#leftMs = this.#startedMs;
  }

  /** Notes an answer. An answer to an append shows that the store takes writes. */
  heard(asked: Asked): void {
    this.#refused.delete(asked);
    this.#answered(asked);
  }

  /** Notes the failure of a call that began at that time. A refusal counts as an answer. */
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

  /** True if the connection has been silent for so long that the client should leave it. Not true again at once. */
  isConnectionLost(): boolean {
    const nowMs = this.#now();
    const silentMs = nowMs - this.#heardMs;
    const intervalMs = Math.min(leavingMsMax, Math.max(lostAfterMs, silentMs * leavingShare));
    if (silentMs < lostAfterMs || nowMs - this.#leftMs < intervalMs) return false;
    this.#leftMs = nowMs;
    return true;
  }

  /** True if no answer came for so long that pending calls should stop waiting, too. */
  isSilent(): boolean {
    return this.#connection.isLong(this.#now());
  }

  admitRead(): Admission {
    return admit([this.#connection], this.#now());
  }

  admitAppend(): Admission {
    return admit([this.#connection, this.#writes], this.#now());
  }

  /** Returns the present state without a call. */
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

/** Throws at once while the store is known to be away, but lets one call through now and then. */
function admit(outages: readonly Outage[], nowMs: number): Admission {
  const known = outages.filter((outage) => outage.isLong(nowMs));
  if (known.length === 0) return 'try';
  if (known.every((outage) => outage.mayProbe(nowMs))) {
    for (const outage of known) outage.probed(nowMs);
    return 'probe';
  }
  const { reason } = (known[0] as Outage).facts();
  // The reason may name the address of the store, so it is for logs.
  throw new Fault('event_store_unavailable', {
    message: 'The event store is unavailable',
    retryAfterSeconds,
    cause: new Error(reason),
  });
}
