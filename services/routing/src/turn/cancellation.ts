import { CallAbort, type CallSignal } from '@sluice/inference-port';
import type { Endpoint } from '@sluice/providers';
import type { Drains } from './drains.ts';
import type { Limits } from './limits.ts';
import type { Running, Stoppable } from './running.ts';

interface CancellationDeps {
  readonly limits: Limits;
  readonly running: Running;
  readonly drains: Drains;
}

/**
 * Decides when the upstream call of a response is aborted: the service stops, no output comes in time, or the client
 * leaves. A provider that stops charging when its connection closes is aborted at once. Any other provider charges the
 * whole answer, so it is read on for `drainMs`. Both hold for streams and for whole answers.
 */
export class Cancellation implements Stoppable {
  readonly #signal = new CallAbort();
  readonly #clientSignal: CallSignal;
  readonly #running: Running;
  readonly #totalMs: number;
  readonly #drainMs: number;
  readonly #drains: Drains;
  #drained: (() => void) | undefined;
  #total: NodeJS.Timeout | undefined;
  /** On the clock of `performance.now()`. */
  #endsByMs = Infinity;
  #drain: NodeJS.Timeout | undefined;
  #isClientGone = false;
  #left: AbortController | undefined;
  #stopsWhenClosed = false;
  #isOver = false;

  constructor({ limits, running, drains }: CancellationDeps, clientSignal: CallSignal) {
    this.#clientSignal = clientSignal;
    this.#running = running;
    this.#drainMs = limits.drainMs;
    this.#drains = drains;
    this.#totalMs = limits.totalTimeoutMs;
    running.join(this);
    if (clientSignal.aborted) this.clientLeft();
    else clientSignal.addEventListener('abort', this.clientLeft);
  }

  get signal(): CallSignal {
    return this.#signal;
  }

  get isClientGone(): boolean {
    return this.#isClientGone;
  }

  /** Aborted when the client leaves or the service stops. The upstream may still be read then. */
  get leftSignal(): AbortSignal {
    this.#left ??= new AbortController();
    if (this.#isClientGone || this.signal.aborted) this.#left.abort();
    return this.#left.signal;
  }

  /** Limits the time to the first output of all turns. */
  endsBy(deadlineMs: number): void {
    this.#endsByMs = deadlineMs;
  }

  /** Limits the time to the first output of a turn. */
  awaitsOutput(): void {
    const leftMs = Math.max(0, this.#endsByMs - performance.now());
    this.#total = setTimeout(
      () => this.#signal.abort(new TotalTimeout('no output in time')),
      Math.min(this.#totalMs, leftMs),
    );
  }

  /** Clears the limit on the time to the first output. */
  outputBegan(): void {
    clearTimeout(this.#total);
  }

  readonly clientLeft = (): void => {
    if (this.#isClientGone) return;
    this.#isClientGone = true;
    this.#left?.abort();
    this.#cancel();
  };

  /** Names the endpoint whose answer is read from now on. */
  reads({ cancelsStreams = false }: Pick<Endpoint, 'cancelsStreams'>): void {
    this.#stopsWhenClosed = cancelsStreams;
    if (this.#isClientGone) this.#cancel();
  }

  /** Ends after the last read: clears timers and listeners, and `isClientGone` no longer changes. */
  end(): void {
    this.#isOver = true;
    clearTimeout(this.#total);
    clearTimeout(this.#drain);
    this.#drained?.();
    this.#running.leave(this);
    this.#clientSignal.removeEventListener('abort', this.clientLeft);
  }

  #cancel(): void {
    if (this.#isOver) return;
    const abort = () => this.#signal.abort(new Error('the client has left'));
    if (this.#stopsWhenClosed) return abort();
    this.#drain ??= setTimeout(abort, this.#drainMs);
    this.#drained ??= this.#drains.add(abort);
  }

  stop(reason: Error): void {
    this.#left?.abort();
    this.#signal.abort(reason);
  }
}

/** The limit of all attempts together was reached, not the limit of one attempt. */
export class TotalTimeout extends Error {
  override readonly name = 'TotalTimeout';
}
