import { Fault } from '@sluice/errors';
import type {
  BusMessage,
  ConsumeOptions,
  ConsumerPlace,
  NoticeMark,
  NoticesRead,
  StoredFact,
  StreamDefinition,
} from './bus.ts';
import { toMessage } from './message.ts';
import { noticeStream, subjectMatches } from './subjects.ts';

export type StoredMessage = Omit<BusMessage, 'data' | 'id'> & { readonly id: string };

export interface InMemoryStreams {
  ensure(definition: StreamDefinition): void;
  /** Once per id. Throws bus_unavailable when no stream takes the subject or it is full. */
  store(message: StoredMessage): StoredFact;
  /** True when a stream takes the subject. */
  takes(subject: string): boolean;
  readNotices(after: NoticeMark | undefined): NoticesRead;
  holds(id: string, stored: StoredFact): boolean;
  placeOf(consumer: Pick<ConsumeOptions, 'stream' | 'durable'>): ConsumerPlace | undefined;
  /** Returns the messages that a durable consumer has not been given. The caller takes from the list. */
  waiting(consumer: Pick<ConsumeOptions, 'stream' | 'durable' | 'filter'>): StoredMessage[];
}

interface Stream {
  definition: StreamDefinition;
  stored: StoredMessage[];
  /** With their places. */
  readonly ids: Map<string, number>;
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
      const stream = {
        definition,
        stored: [],
        ids: new Map<string, number>(),
        consumers: new Map(),
      };
      streams.set(definition.name, stream);
    },
    store(message) {
      const stream = [...streams.values()].find(({ definition }) =>
        definition.subjects.some((filter) => subjectMatches(filter, message.subject)),
      );
      if (!stream || stream.stored.length >= storedMax) throw new Fault('bus_unavailable');
      const { name } = stream.definition;
      const before = stream.ids.get(message.id);
      if (before !== undefined) return { stream: name, sequence: before };
      if (stream.definition.keepsLastOnly === true)
        stream.stored = stream.stored.filter(({ subject }) => subject !== message.subject);
      stream.stored.push(message);
      const sequence = stream.ids.size + 1;
      stream.ids.set(message.id, sequence);
      for (const { filter, waiting } of stream.consumers.values())
        if (subjectMatches(filter, message.subject)) waiting.push(message);
      return { stream: name, sequence };
    },
    takes: (subject) =>
      [...streams.values()].some(({ definition }) =>
        definition.subjects.some((filter) => subjectMatches(filter, subject)),
      ),
    readNotices(after) {
      this.ensure(noticeStream);
      const stored = streams.get(noticeStream.name)?.stored ?? [];
      const mark = { created: '', sequence: stored.length, at: '' };
      const missed = after ? stored.slice(after.sequence) : [];
      const notices = missed.map((message) => toMessage(message));
      return { mark, notices, isEnd: true, isContinued: after !== undefined };
    },
    holds: (id, { stream, sequence }) => streams.get(stream)?.ids.get(id) === sequence,
    placeOf({ stream: name, durable }) {
      const stream = streams.get(name);
      const consumer = stream?.consumers.get(durable);
      if (!stream || !consumer) return undefined;
      return { created: name, lastSequence: stream.ids.size, pending: consumer.waiting.length };
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
