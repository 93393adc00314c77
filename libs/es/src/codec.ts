import type { Event } from './event.ts';
import type { RecordedEvent } from './event-store.ts';
import type { EventOf, StreamSchema } from './stream-schema.ts';

type Upcaster = (data: Record<string, unknown>) => Record<string, unknown>;

/** For each type, the functions that turn version 1 into 2, 2 into 3 and so on up to today's. */
export type Upcasters<Type extends string = string> = {
  readonly [T in Type]?: readonly Upcaster[];
};

export interface EventCodec<E extends Event> {
  readonly stream: StreamSchema;
  /** The begin of the names of all streams of the aggregate. */
  readonly streamPrefix: string;
  readonly types: readonly string[];
  schemaVersion(type: E['type']): number;
  /** Upcasts to today's shape. Throws on an unknown type or a version of the future. */
  decode(recorded: Pick<RecordedEvent, 'type' | 'data' | 'metadata' | 'id' | 'stream'>): E;
}

export class UndecodableEvent extends Error {
  override readonly name = 'UndecodableEvent';
}

/** Returns the storage format of a stream. The version of a type today is one more than its upcasters. */
export function eventCodec<Stream extends StreamSchema>(
  stream: Stream,
  upcasters: Upcasters<keyof Stream['events'] & string> = {},
): EventCodec<EventOf<Stream>> {
  const steps = new Map(
    Object.keys(stream.events).map((type) => [type, (upcasters as Upcasters)[type] ?? []]),
  );
  return {
    stream,
    streamPrefix: `${stream.category}-`,
    types: [...steps.keys()],
    schemaVersion: (type) => (steps.get(type)?.length ?? 0) + 1,
    decode(recorded) {
      const where = `event ${recorded.id} (${recorded.type}) of ${recorded.stream}`;
      const upcasts = steps.get(recorded.type);
      if (!upcasts) throw new UndecodableEvent(`${where}: unknown type`);
      const version = schemaVersionOf(recorded.metadata);
      if (version === undefined) throw new UndecodableEvent(`${where}: no schemaVersion`);
      const today = upcasts.length + 1;
      if (version > today)
        throw new UndecodableEvent(`${where}: schema version ${version} is newer than ${today}`);
      if (!isRecord(recorded.data)) throw new UndecodableEvent(`${where}: data is not an object`);
      let { data } = recorded as { readonly data: Record<string, unknown> };
      for (let from = version; from < today; from++) data = (upcasts[from - 1] as Upcaster)(data);
      return { type: recorded.type, data } as unknown as EventOf<Stream>;
    },
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function schemaVersionOf(metadata: unknown): number | undefined {
  if (!isRecord(metadata)) return undefined;
  const version = metadata['schemaVersion'];
  return Number.isInteger(version) && (version as number) >= 1 ? (version as number) : undefined;
}
