import type { BusFact, Place } from '../bus/facts.ts';
import { jsonForm } from '../bus/messages.ts';
import { DocumentationProblem } from '../problem.ts';

/** JSON. */
export type Json = string | number | boolean | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

const msPerSecond = 1_000;

/** AsyncAPI 3.0 of what is on NATS: Sluice is the application, `send` is what it publishes. */
export function asyncApi(facts: readonly BusFact[]): JsonObject {
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Sluice on NATS',
      version: '1.0.0',
      description:
        'What the services of Sluice tell each other, and whoever else listens. Payloads are the ' +
        'proto3 JSON form of the messages in protos/sluice: a field at its default (empty, 0, false) ' +
        'is left out, 64-bit integers are strings of decimal digits, fields may be added. Messages ' +
        'in a stream come at least once; the others at most once.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    servers: {
      nats: {
        host: '{host}:{port}',
        protocol: 'nats',
        description:
          'nats-server with JetStream; `make start` runs one on a free port of this machine.',
        variables: { host: { default: '127.0.0.1' }, port: { default: '4222' } },
        security: [reference('components', 'securitySchemes', 'token')],
      },
    },
    channels: byName(facts.map((fact) => [fact.name, channel(fact)])),
    operations: byName(facts.flatMap(operations)),
    components: {
      messages: byName(facts.map((fact) => [fact.message.name, message(fact)])),
      schemas: byName(facts.map((fact) => [fact.message.name, payload(fact)])),
      securitySchemes: {
        token: { type: 'apiKey', in: 'user', description: 'The token of the nats-server.' },
      },
    },
  };
}

function channel(fact: BusFact): JsonObject {
  const { comment, stream, subjectOwner, subjectPrefix } = fact;
  const { name } = fact.message;
  const parameter = parameterName(subjectOwner);
  return {
    address: `${subjectPrefix}{${parameter}}`,
    description: comment,
    parameters: { [parameter]: { description: `The ${subjectOwner}.` } },
    messages: { [name]: reference('components', 'messages', name) },
    ...(stream
      ? {
          'x-jetstream': {
            stream: stream.name,
            subjects: [...stream.subjects],
            'max-age-seconds': stream.ageMsMax / msPerSecond,
            'duplicate-window-seconds': stream.duplicateWindowMs / msPerSecond,
          },
        }
      : {}),
  };
}

function operations(fact: BusFact): readonly (readonly [string, JsonObject])[] {
  const of = (action: 'send' | 'receive', { service, durable }: Place) =>
    [
      `${service}-${action}-${fact.name}`,
      {
        action,
        channel: reference('channels', fact.name),
        summary:
          action === 'send'
            ? `The ${service} service publishes it.`
            : `The ${service} service consumes it.`,
        messages: [reference('channels', fact.name, 'messages', fact.message.name)],
        ...(durable === undefined ? {} : { 'x-jetstream': { durable } }),
      },
    ] as const;
  return [
    ...distinct(fact.publishers).map((place) => of('send', place)),
    ...distinct(fact.consumers).map((place) => of('receive', place)),
  ];
}

/** One for each service and durable consumer, in however many files it is. */
function distinct(places: readonly Place[]): readonly Place[] {
  const by = places.map((place) => [`${place.service} ${place.durable ?? ''}`, place] as const);
  return [...new Map(by).values()];
}

function message(fact: BusFact): JsonObject {
  const {
    message: { name, fullName },
    idField,
    example,
  } = fact;
  const id = idField ? String(example[idField.sentName]) : undefined;
  return {
    name: fullName,
    title: name,
    summary: fact.comment,
    contentType: 'application/json',
    ...(idField ? { headers: headers(idField.sentName) } : {}),
    payload: reference('components', 'schemas', name),
    examples: [
      {
        ...(id === undefined ? {} : { headers: { 'Nats-Msg-Id': id } }),
        payload: example as JsonObject,
      },
    ],
  };
}

function headers(idName: string): JsonObject {
  const description = `The same as ${idName} of the payload: what has it was published once.`;
  return {
    type: 'object',
    required: ['Nats-Msg-Id'],
    properties: { 'Nats-Msg-Id': { type: 'string', description } },
  };
}

function payload(fact: BusFact): JsonObject {
  return {
    type: 'object',
    description: fact.comment,
    properties: byName(
      fact.fields.map((field) => {
        const { schema } = jsonForm(field) as { readonly schema: JsonObject };
        const { comment } = field;
        return [field.sentName, { ...schema, ...(comment === '' ? {} : { description: comment }) }];
      }),
    ),
  };
}

/** `account id` → `accountId`. */
function parameterName(subjectOwner: string): string {
  return subjectOwner.replaceAll(/ +(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function reference(...path: readonly string[]): JsonObject {
  return { $ref: `#/${path.join('/')}` };
}

function byName(entries: readonly (readonly [string, JsonObject])[]): JsonObject {
  const named = Object.fromEntries(entries);
  if (Object.keys(named).length < entries.length)
    throw new DocumentationProblem(`names are not unique: ${entries.map(([name]) => name).join()}`);
  return named;
}
