import type { Field } from '../typescript/shapes.ts';

/** What the event store holds of one kind of aggregate. */
export interface StoredAggregate {
  readonly service: string;
  /** Of the aggregate, as in its streams: `apiKey`. */
  readonly category: string;
  /** `apiKey-<hash>`. */
  readonly streamPattern: string;
  readonly comment: string;
  /** Repository paths. */
  readonly eventsFile: string;
  readonly storeFile: string;
  readonly events: readonly StoredEvent[];
  readonly readers: readonly Reader[];
}

export interface StoredEvent {
  readonly type: string;
  readonly comment: string;
  readonly schemaVersion: number;
  /** Of `data`, in today's version. */
  readonly fields: readonly Field[];
  /** The golden file of today's version, as it lies in the store. */
  readonly example: GoldenEvent;
  /** Golden files of earlier versions, which are upcast when they are read. */
  readonly earlierVersions: readonly { readonly version: number; readonly file: string }[];
}

export interface GoldenEvent {
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  readonly data: object;
  readonly metadata: object;
}

/** A projection or a reaction that follows the streams of an aggregate. */
export interface Reader {
  readonly kind: 'projection' | 'reaction';
  /** As in the checkpoints: `key.api_keys`. */
  readonly name: string;
  readonly version: number;
  readonly comment: string;
  readonly file: string;
  /** The events that it does something with; it passes over the others. */
  readonly handles: readonly string[];
  /** Of its service's schema; none for a reaction. */
  readonly tables: readonly string[];
  /** Names in `subjects` of @sluice/bus that it publishes on. */
  readonly publishes: readonly string[];
}
