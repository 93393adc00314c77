import type { Bus, StreamDefinition } from './bus.ts';

/** The part of the bus that a publisher of facts needs. */
export type FactBus = Pick<Bus, 'publishFact' | 'ensureStream'>;

/** Returns `publishFact` for one stream. It makes the stream before the first fact, and tries again if that fails. */
export function createFactPublisher(bus: FactBus, stream: StreamDefinition): Bus['publishFact'] {
  let streamIsThere: Promise<void> | undefined;
  return async (subject, id, message) => {
    streamIsThere ??= bus.ensureStream(stream);
    await streamIsThere.catch((error: unknown) => {
      streamIsThere = undefined;
      throw error;
    });
    return await bus.publishFact(subject, id, message);
  };
}
