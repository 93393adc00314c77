import { elementAt } from '../element-at.ts';
import { Column, IdColumn } from './column.ts';
import { noMetadata, type StreamMetadata } from './stream-metadata.ts';

/** A stream as the index knows it. `ordinals[revision]` counts the event in the whole log. */
export interface StreamEntry {
  readonly number: number;
  readonly name: string;
  readonly ordinals: number[];
  /** The place of the `$streamDeleted` event: the name is unusable for ever. */
  tombstoneOrdinal: number | undefined;
  /** The metadata of the newest append, which readers may not see yet. */
  metadata: StreamMetadata;
  /** The metadata of the newest durable append. */
  metadataVisible: StreamMetadata;
}

export interface IndexedEvent {
  readonly position: number;
  readonly id: Buffer;
  readonly type: string;
}

export interface IndexedAppend {
  readonly stream: string;
  readonly tombstone: boolean;
  readonly createdMs: number;
  readonly events: readonly IndexedEvent[];
}

const tombstoneRevision = 0xffff_ffff;

/**
 * Holds the place of every event: 44 bytes each, no payload. Events enter when they are queued for the disk. `visible`
 * follows when they are durable. Readers see only events below it.
 */
export class EventIndex {
  readonly #positions = new Column((length) => new Float64Array(length));
  readonly #createdMs = new Column((length) => new Float64Array(length));
  readonly #streamNumbers = new Column((length) => new Uint32Array(length));
  readonly #revisions = new Column((length) => new Uint32Array(length));
  readonly #typeNumbers = new Column((length) => new Uint32Array(length));
  readonly #ids = new IdColumn();
  readonly #streams: StreamEntry[] = [];
  readonly #streamByName = new Map<string, StreamEntry>();
  readonly #types: string[] = [];
  readonly #typeByName = new Map<string, number>();
  #visible = 0;

  /** All events, also those on their way to the disk. */
  get count(): number {
    return this.#positions.length;
  }

  /** The number of events that readers may see: those with lower ordinals. */
  get visible(): number {
    return this.#visible;
  }

  set visible(count: number) {
    this.#visible = count;
  }

  add(append: IndexedAppend): StreamEntry {
    const stream = this.entry(append.stream);
    for (const event of append.events) {
      const ordinal = this.count;
      this.#positions.push(event.position);
      this.#createdMs.push(append.createdMs);
      this.#streamNumbers.push(stream.number);
      this.#revisions.push(append.tombstone ? tombstoneRevision : stream.ordinals.length);
      this.#typeNumbers.push(this.#typeNumber(event.type));
      this.#ids.push(event.id);
      if (append.tombstone) stream.tombstoneOrdinal = ordinal;
      else stream.ordinals.push(ordinal);
    }
    return stream;
  }

  /** Forgets all that is not visible, newest first. */
  truncateToVisible(): void {
    for (let ordinal = this.count - 1; ordinal >= this.#visible; ordinal--) {
      const stream = this.streamAt(ordinal);
      if (stream.tombstoneOrdinal === ordinal) stream.tombstoneOrdinal = undefined;
      else stream.ordinals.pop();
    }
    this.#positions.truncate(this.#visible);
    this.#createdMs.truncate(this.#visible);
    this.#streamNumbers.truncate(this.#visible);
    this.#revisions.truncate(this.#visible);
    this.#typeNumbers.truncate(this.#visible);
    this.#ids.truncate(this.#visible);
  }

  stream(name: string): StreamEntry | undefined {
    return this.#streamByName.get(name);
  }

  /** Returns the entry of a stream. A name that was never seen gets an entry without events. */
  entry(name: string): StreamEntry {
    return this.#streamByName.get(name) ?? this.#addStream(name);
  }

  streamAt(ordinal: number): StreamEntry {
    const stream = this.#streams[this.#streamNumbers.at(ordinal)];
    if (!stream) throw new RangeError(`no event has the ordinal ${ordinal}`);
    return stream;
  }

  typeAt(ordinal: number): string {
    return elementAt(this.#types, this.#typeNumbers.at(ordinal));
  }

  /** The same for all events of a type. */
  typeNumberAt(ordinal: number): number {
    return this.#typeNumbers.at(ordinal);
  }

  positionAt(ordinal: number): number {
    return this.#positions.at(ordinal);
  }

  /** No less than an event's bytes on disk, except for the newest event of all. */
  bytesUpTo(ordinal: number): number {
    if (ordinal + 1 >= this.count) return 0;
    return this.#positions.at(ordinal + 1) - this.#positions.at(ordinal);
  }

  createdMsAt(ordinal: number): number {
    return this.#createdMs.at(ordinal);
  }

  /** Undefined for a tombstone, whose revision on the wire is the largest there is. */
  revisionAt(ordinal: number): number | undefined {
    const revision = this.#revisions.at(ordinal);
    return revision === tombstoneRevision ? undefined : revision;
  }

  hasId(ordinal: number, id: Buffer): boolean {
    return this.#ids.equals(ordinal, id);
  }

  /** Returns the number of events of a stream that readers may see. Only the newest few can be on their way. */
  visibleCount(stream: StreamEntry): number {
    let count = stream.ordinals.length;
    while (count > 0 && elementAt(stream.ordinals, count - 1) >= this.#visible) count--;
    return count;
  }

  isTombstoneVisible({ tombstoneOrdinal }: StreamEntry): boolean {
    return tombstoneOrdinal !== undefined && tombstoneOrdinal < this.#visible;
  }

  /** The first visible ordinal whose position is not below the given one. */
  ordinalFrom(position: number): number {
    let low = 0;
    let high = this.#visible;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#positions.at(middle) < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #addStream(name: string): StreamEntry {
    const stream: StreamEntry = {
      number: this.#streams.length,
      name,
      ordinals: [],
      tombstoneOrdinal: undefined,
      metadata: noMetadata,
      metadataVisible: noMetadata,
    };
    this.#streams.push(stream);
    this.#streamByName.set(name, stream);
    return stream;
  }

  #typeNumber(name: string): number {
    const known = this.#typeByName.get(name);
    if (known !== undefined) return known;
    this.#typeByName.set(name, this.#types.length);
    return this.#types.push(name) - 1;
  }
}

/** Undefined for a stream without events. */
export function lastRevisionOf(stream: StreamEntry | undefined): number | undefined {
  return stream && stream.ordinals.length > 0 ? stream.ordinals.length - 1 : undefined;
}
