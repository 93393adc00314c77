import { Fault } from '@sluice/errors';
import type { BusMessage, ConsumeOptions, StreamDefinition } from './bus.ts';
import { subjectMatches } from './subjects.ts';

export type StoredMessage = Omit<BusMessage, 'data' | 'id'> & { readonly id: string };

export interface InMemoryStreams {
  ensure(definition: StreamDefinition): void;
  /** Once per id. Throws bus_unavailable when no stream takes the subject or it is full. */
  store(message: StoredMessage): void;
  /** What a durable consumer was not given yet; the caller takes from it. */
  waiting(consumer: Pick<ConsumeOptions, 'stream' | 'durable' | 'filter'>): StoredMessage[];
}

interface Stream {
  definition: StreamDefinition;
  readonly stored: StoredMessage[];
  readonly ids: Set<string>;
  readonly consumers: Map<string, { filter: string; waiting: StoredMessage[] }>;
}

const storedMax = 1_000_000;

export function inMemoryStreams(): InMemoryStreams {
  const streams = new Map<string, Stream>();
  return {
    ensure(definition) {
      const existing = streams.get(definition.name);
      if (existing) {
        existing.definition = definition;
        return;
      }
      const stream = { definition, stored: [], ids: new Set<string>(), consumers: new Map() };
      streams.set(definition.name, stream);
    },
    store(message) {
      const stream = [...streams.values()].find(({ definition }) =>
        definition.subjects.some((filter) => subjectMatches(filter, message.subject)),
      );
      if (!stream || stream.stored.length >= storedMax) throw new Fault('bus_unavailable');
      if (stream.ids.has(message.id)) return;
      stream.ids.add(message.id);
      stream.stored.push(message);
      for (const { filter, waiting } of stream.consumers.values())
        if (subjectMatches(filter, message.subject)) waiting.push(message);
    },
    waiting({ stream: name, durable, filter }) {
      const stream = streams.get(name);
      if (!stream) return [];
      let consumer = stream.consumers.get(durable);
      if (!consumer) {
        const waiting = stream.stored.filter(({ subject }) => subjectMatches(filter, subject));
        consumer = { filter, waiting };
        stream.consumers.set(durable, consumer);
      }
      return consumer.waiting;
    },
  };
}
