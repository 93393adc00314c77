import type { Random } from '@sluice/testing/random';
import { Fault } from '@sluice/errors';
import type { Life, VirtualTime } from './virtual-time.ts';

/** The faults of the network. Shares are from 0 to 1. */
export interface Weather {
  lossShare: number;
  duplicateShare: number;
  delayMsMax: number;
}

/** Messages that come late, in another order, twice, or not at all. */
export class Network {
  readonly weather: Weather;
  readonly #time: VirtualTime;
  readonly #random: Random;
  /** A message on its way arrives, even if its sender dies. */
  readonly #life: Life = { isOver: false };

  constructor(time: VirtualTime, random: Random, weather: Weather) {
    this.#time = time;
    this.#random = random;
    this.weather = weather;
  }

  /** One way. */
  send(deliver: () => void): void {
    const { lossShare, duplicateShare } = this.weather;
    this.#time.within(this.#life, () => {
      if (this.#random.next() >= lossShare) this.#time.after(this.#delayMs(), deliver);
      if (this.#random.next() < duplicateShare) this.#time.after(this.#delayMs(), deliver);
    });
  }

  /**
   * There and back: it may be carried out although no answer comes, twice, or after the caller has given
   * up. Rejects as unavailable then.
   */
  call<Answer>(carryOut: () => Answer, timeoutMs: number): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const timeout = this.#time.after(timeoutMs, () => reject(new Fault('unavailable')));
    this.send(() => {
      const answer = (act: () => void) =>
        this.send(() => {
          timeout.isCancelled = true;
          act();
        });
      try {
        const answered = carryOut();
        answer(() => resolve(answered));
      } catch (error) {
        answer(() => reject(error));
      }
    });
    return promise;
  }

  #delayMs(): number {
    return this.#random.next() * this.weather.delayMsMax;
  }
}
