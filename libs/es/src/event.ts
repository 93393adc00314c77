import { Type } from 'typebox';
import { instant, type Shape } from './stream-schema.ts';

/** A fact of a domain: a name and plain JSON data, in today's shape. */
export interface Event {
  readonly type: string;
  readonly data: object;
}

const actor = Type.Object(
  {
    type: Type.Enum(['management_key', 'api_key', 'user', 'system']),
    id: Type.String(),
  },
  { description: 'The cause of a change. Never a secret: for a key this is its public hash.' },
);
export type Actor = Shape<typeof actor>;

/** The metadata of each stored event. */
export const eventMetadata = Type.Object({
  schemaVersion: Type.Integer({
    description: "The version of the shape of the event's data, from 1. It selects the upcasters.",
  }),
  occurredAt: instant,
  commandId: Type.String({
    description: 'A UUID. A command is carried out once. Events of the same command share it.',
  }),
  actor,
  requestId: Type.String({ description: 'The id of the request that the command came with.' }),
  traceparent: Type.Optional(
    Type.String({ description: 'W3C trace context of that request, when it had one.' }),
  ),
  clientIp: Type.Optional(
    Type.String({
      description: 'The address of the client. Absent if the command did not come over HTTP.',
    }),
  ),
  userAgent: Type.Optional(Type.String()),
  signature: Type.Optional(
    Type.String({
      description: 'Proves that this installation wrote the event; absent without a key.',
    }),
  ),
  $correlationId: Type.String({
    description: "The request id, under the name that the event store's own tools look for.",
  }),
  $causationId: Type.String({
    description: "The command id, under the name that the event store's own tools look for.",
  }),
});

/** Travels with each event. */
export type EventMetadata = Shape<typeof eventMetadata>;
