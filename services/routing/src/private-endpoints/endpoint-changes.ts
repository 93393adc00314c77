import type { PrivateEndpointCalls, PrivateEndpoints } from './private-endpoints.ts';

const beatMs = 500;

type Known = Pick<PrivateEndpoints, 'changed' | 'forget' | 'subscribedAnew' | 'size'>;
type ChangeCalls = Pick<PrivateEndpointCalls, 'listEndpointChanges'>;

/**
 * Asks the account service twice a second which organizations changed their private endpoints, so that a change counts
 * within a second also if its notice is lost. One question stands for all organizations. While no endpoints are cached
 * there is none.
 */
export class EndpointChanges {
  readonly #calls: ChangeCalls | undefined;
  #beat = 0;
  /** The beat in which the last complete question began. */
  #completeBeat = -Infinity;
  #revision: bigint | undefined;
  #isAsking = false;

  /** `calls` is undefined if no organization has private endpoints. */
  constructor(calls: ChangeCalls | undefined) {
    this.#calls = calls;
  }

  /** Returns the milliseconds since the last moment before which each change was handled, in beats of a timer. */
  unsubscribedMs(): number {
    return (this.#beat - this.#completeBeat + 1) * beatMs;
  }

  /** Marks cached endpoints as changed until the signal aborts. */
  start(known: Known, signal: AbortSignal): void {
    const calls = this.#calls;
    if (!calls) return;
    const timer = setInterval(() => {
      this.#beat += 1;
      void this.#ask(calls, known);
    }, beatMs);
    timer.unref();
    signal.addEventListener('abort', () => clearInterval(timer), { once: true });
    void this.#ask(calls, known);
  }

  /** Asks up to the newest change. A question that fails is asked again with the next beat. */
  async #ask(calls: ChangeCalls, known: Known): Promise<void> {
    const isIdle = known.size === 0 && this.#revision !== undefined;
    if (this.#isAsking || isIdle) return;
    this.#isAsking = true;
    try {
      const beganBeat = this.#beat;
      while (!(await this.#askOnce(calls, known)));
      this.#completeBeat = beganBeat;
    } catch {
      // unsubscribedMs() tells how long nothing was answered.
    } finally {
      this.#isAsking = false;
    }
  }

  /** Returns true if there are no more changes. */
  async #askOnce(calls: ChangeCalls, known: Known): Promise<boolean> {
    const after = this.#revision;
    const { revision, changes, isEnd } = await calls.listEndpointChanges({ after });
    // Another log has another order: all that was cached before may have changed.
    if (after === undefined || revision < after) known.subscribedAnew();
    for (const { accountId, isRevoked } of changes)
      if (isRevoked) known.forget(accountId);
      else known.changed(accountId);
    this.#revision = revision;
    return isEnd;
  }
}
