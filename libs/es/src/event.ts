/** A fact of a domain: a name and plain JSON data, in today's shape. */
export interface Event {
  readonly type: string;
  readonly data: object;
}

/** Who caused a change. Never a secret: for a key this is its public hash. */
export interface Actor {
  readonly type: 'management_key' | 'api_key' | 'user' | 'system';
  readonly id: string;
}

/** Travels with each event. `schemaVersion` counts from 1 and drives the upcasters. */
export interface EventMetadata {
  readonly schemaVersion: number;
  /** ISO 8601, UTC, milliseconds. */
  readonly occurredAt: string;
  readonly commandId: string;
  readonly actor: Actor;
  readonly requestId: string;
  readonly traceparent?: string;
  readonly $correlationId: string;
  readonly $causationId: string;
}
