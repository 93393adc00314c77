import type { JetStreamClient } from '@nats-io/jetstream';
import { Fault } from '@sluice/errors';
import type { StoredFact } from './bus.ts';
import { encode } from './message.ts';

/** Publishes messages to streams, and waits until they are stored. */
export interface FactPublisher {
  /**
   * Resolves when a stream has stored the message, or had stored its id before. Throws bus_unavailable when no stream
   * acknowledges in time, and payload_too_large.
   */
  publish(subject: string, id: string, message: object): Promise<StoredFact>;
}

export interface FactPublisherOptions {
  readonly timeoutMs: number;
  readonly isConnected: () => boolean;
}

export function factPublisher(
  client: Pick<JetStreamClient, 'publish'>,
  { timeoutMs: timeout, isConnected }: FactPublisherOptions,
): FactPublisher {
  return {
    async publish(subject, id, message) {
      const payload = encode(message);
      if (!isConnected()) throw new Fault('bus_unavailable');
      try {
        const stored = await client.publish(subject, payload, { msgID: id, timeout });
        return { stream: stored.stream, sequence: stored.seq };
      } catch (cause) {
        throw new Fault('bus_unavailable', { cause });
      }
    },
  };
}
