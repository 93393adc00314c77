import type { Documented } from '../documented.ts';
import { busChannel, busMessage, busOperations, busSchemas } from './bus-channels.ts';
import { byName, type JsonObject, reference } from './json.ts';
import {
  metadataSchema,
  storedChannel,
  storedMessages,
  storedOperations,
} from './stored-channels.ts';

/** AsyncAPI 3.0 of the events of Sluice: Sluice is the application, `send` is what it publishes. */
export function asyncApi({ streams, facts }: Documented): JsonObject {
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Events of Sluice',
      version: '1.0.0',
      description:
        'Events in the event store (channels `store.…`), and facts on NATS (all other channels). ' +
        'The payload of a stored event is its data in the version of today, its headers are its ' +
        'metadata; only the service that owns a stream reads it. Payloads on NATS are the ' +
        'proto3 JSON form of the messages in protos/sluice: a field at its default (empty, 0, false) ' +
        'is left out, 64-bit integers are strings of decimal digits, fields may be added. Messages ' +
        'in a JetStream stream come at least once; the others at most once.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    servers: {
      eventstore: server('esdb', '2113', 'EventStoreDB or KurrentDB.'),
      nats: {
        ...server(
          'nats',
          '4222',
          'nats-server with JetStream; `make start` runs one on a free port of this machine.',
        ),
        security: [reference('components', 'securitySchemes', 'reader')],
      },
    },
    channels: byName([
      ...streams.map(storedChannel),
      ...facts.map((fact) => [fact.name, busChannel(fact)] as const),
    ]),
    operations: byName([...streams.flatMap(storedOperations), ...facts.flatMap(busOperations)]),
    components: {
      messages: byName([
        ...streams.flatMap(storedMessages),
        ...facts.map((fact) => [fact.message.name, busMessage(fact)] as const),
      ]),
      schemas: byName([...metadataSchema, ...facts.flatMap(busSchemas)]),
      securitySchemes: {
        reader: {
          type: 'userPassword',
          description: 'The user `reader` of the nats-server, who may read facts and nothing else.',
        },
      },
    },
  };
}

function server(protocol: string, port: string, description: string): JsonObject {
  return {
    host: '{host}:{port}',
    protocol,
    description,
    variables: { host: { default: '127.0.0.1' }, port: { default: port } },
  };
}
