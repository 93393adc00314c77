import { setTimeout as delay } from 'node:timers/promises';
import type { Bus, StreamDefinition } from '@sluice/bus';

export interface ObserverStreamOptions {
  readonly bus: Pick<Bus, 'publishFact' | 'ensureStream'>;
  readonly stream: StreamDefinition;
  /** The wait for a broker that is away. A second if absent. */
  readonly retryMs?: number | undefined;
}

/** A broker that is away is asked again for so long. Then the observer does without. */
const attemptsMax = 30;
const retryMsDefault = 1_000;

/** A stream that the observer reads. It is made before its first message. */
export class ObserverStream {
  readonly #options: ObserverStreamOptions;
  #made: Promise<void> | undefined;

  constructor(options: ObserverStreamOptions) {
    this.#options = options;
  }

  /** Publishes again until the broker has taken the message. Throws the error of the last attempt. */
  async publishFact(subject: string, id: string, message: object): Promise<void> {
    const { bus, retryMs = retryMsDefault } = this.#options;
    for (let attempt = 1; ; attempt++)
      try {
        await this.#ready();
        await bus.publishFact(subject, id, message);
        return;
      } catch (error) {
        if (attempt === attemptsMax) throw error;
        // A process that stops does not wait for it.
        await delay(retryMs, undefined, { ref: false });
      }
  }

  #ready(): Promise<void> {
    const { bus, stream } = this.#options;
    this.#made ??= bus.ensureStream(stream).catch((error: unknown) => {
      this.#made = undefined;
      throw error;
    });
    return this.#made;
  }
}
