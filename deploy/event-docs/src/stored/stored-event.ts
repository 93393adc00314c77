/** One kind of aggregate in the event store. */
export interface StoredAggregate {
  readonly service: string;
  /** The category in the aggregate's stream names: `apiKey`. */
  readonly category: string;
  /** `apiKey-<hash>`. */
  readonly streamPattern: string;
  /** Repository paths. */
  readonly eventsFile: string;
  readonly storeFile: string;
  /** The text of the events file: every event with its fields, their types and their meaning. */
  readonly declarations: string;
  readonly events: readonly StoredEvent[];
  readonly readers: readonly Reader[];
}

export interface StoredEvent {
  readonly type: string;
  readonly schemaVersion: number;
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
  /** Tables in the schema of its service; empty for a reaction. */
  readonly tables: readonly string[];
  /** Names in `subjects` of @sluice/bus that it publishes on. */
  readonly publishes: readonly string[];
}
