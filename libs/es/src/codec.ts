import type { Event } from './event.ts';
import type { RecordedEvent } from './event-store.ts';

type Upcaster = (data: Record<string, unknown>) => Record<string, unknown>;

/**
 * How the events of one aggregate lie on disk. `current` names each type's schema version today;
 * `upcasters[type][n]` turns version n into n + 1.
 */
export interface CodecDefinition<E extends Event> {
  readonly current: Readonly<Record<E['type'], number>>;
  readonly upcasters?: Readonly<Record<string, Readonly<Record<number, Upcaster>>>>;
}

export interface EventCodec<E extends Event> {
  readonly types: readonly string[];
  schemaVersion(type: E['type']): number;
  /** Upcasts to today's shape. Throws on an unknown type or a version of the future. */
  decode(recorded: Pick<RecordedEvent, 'type' | 'data' | 'metadata' | 'id' | 'stream'>): E;
}

export class UndecodableEvent extends Error {
  override readonly name = 'UndecodableEvent';
}

export function eventCodec<E extends Event>(definition: CodecDefinition<E>): EventCodec<E> {
  const current = definition.current as Readonly<Record<string, number>>;
  return {
    types: Object.keys(current),
    schemaVersion: (type) => current[type] as number,
    decode(recorded) {
      const where = `event ${recorded.id} (${recorded.type}) of ${recorded.stream}`;
      const today = Object.hasOwn(current, recorded.type) ? current[recorded.type] : undefined;
      if (today === undefined) throw new UndecodableEvent(`${where}: unknown type`);
      const version = schemaVersionOf(recorded.metadata);
      if (version === undefined) throw new UndecodableEvent(`${where}: no schemaVersion`);
      if (version > today)
        throw new UndecodableEvent(`${where}: schema version ${version} is newer than ${today}`);
      if (!isRecord(recorded.data)) throw new UndecodableEvent(`${where}: data is not an object`);
      let data = recorded.data;
      for (let from = version; from < today; from++) {
        const upcast = definition.upcasters?.[recorded.type]?.[from];
        if (!upcast) throw new UndecodableEvent(`${where}: no upcaster from version ${from}`);
        data = upcast(data);
      }
      return { type: recorded.type, data } as unknown as E;
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
