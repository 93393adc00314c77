import type { Bus, StreamDefinition } from '@sluice/bus';

export type FactBus = Pick<Bus, 'publishFact' | 'ensureStream'>;

/** Publishes on a stream, which it makes before the first fact. Resolves when the bus has stored it. */
export function publishFacts(bus: FactBus, stream: StreamDefinition): Bus['publishFact'] {
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
