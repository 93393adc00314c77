/** A fact of a domain: a name and plain JSON data, in today's shape. */
export interface Event {
  readonly type: string;
  readonly data: object;
}

/** The cause of a change. Never a secret: for a key this is its public hash. */
export interface Actor {
  readonly type: 'management_key' | 'api_key' | 'user' | 'system';
  readonly id: string;
}

/** Travels with each event. `schemaVersion` counts from 1 and drives the upcasters. */
export interface EventMetadata {
  /** The schema version of the event's data. */
  readonly schemaVersion: number;
  /** ISO 8601, UTC, milliseconds. */
  readonly occurredAt: string;
  /** A UUID: a command is carried out once. Events of the same command share it. */
  readonly commandId: string;
  readonly actor: Actor;
  /** The id of the request that the command came with. */
  readonly requestId: string;
  /** W3C trace context of that request, when it had one. */
  readonly traceparent?: string;
  /** The address of the client. Absent if the command did not come over HTTP. */
  readonly clientIp?: string;
  readonly userAgent?: string;
  /** Proves that this installation wrote the event; absent without a key. */
  readonly signature?: string;
  /** The request id, under the name that the event store's own tools look for. */
  readonly $correlationId: string;
  /** The command id, under the name that the event store's own tools look for. */
  readonly $causationId: string;
}
