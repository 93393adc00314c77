import { setTimeout as delay } from 'node:timers/promises';
import { type Bus, createFactPublisher, type FactBus, type StreamDefinition } from '@sluice/bus';

export interface ObserverStreamOptions {
  readonly bus: FactBus;
  readonly stream: StreamDefinition;
  /** The wait for a broker that is away. A second if absent. */
  readonly retryMs?: number | undefined;
}

/** A broker that is away is asked again for so long. Then the observer does without. */
const attemptsMax = 30;
const retryMsDefault = 1_000;

/** A stream that the observer reads. It is made before its first message. */
export class ObserverStream {
  readonly #publish: Bus['publishFact'];
  readonly #retryMs: number;

  constructor({ bus, stream, retryMs = retryMsDefault }: ObserverStreamOptions) {
    this.#publish = createFactPublisher(bus, stream);
    this.#retryMs = retryMs;
  }

  /** Publishes again until the broker has taken the message. Throws the error of the last attempt. */
  async publishFact(subject: string, id: string, message: object): Promise<void> {
    for (let attempt = 1; ; attempt++)
      try {
        await this.#publish(subject, id, message);
        return;
      } catch (error) {
        if (attempt === attemptsMax) throw error;
        // A process that stops does not wait for it.
        await delay(this.#retryMs, undefined, { ref: false });
      }
  }
}
