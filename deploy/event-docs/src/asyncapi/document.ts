import type { BusFact, FactField, FactPart, Place } from '../bus/facts.ts';
import { bundleIdExample } from '../bus/examples.ts';
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
        security: [reference('components', 'securitySchemes', 'reader')],
      },
    },
    channels: byName(facts.map((fact) => [fact.name, channel(fact)])),
    operations: byName(facts.flatMap(operations)),
    components: {
      messages: byName(facts.map((fact) => [fact.message.name, message(fact)])),
      schemas: byName(facts.flatMap(schemas)),
      securitySchemes: {
        reader: {
          type: 'userPassword',
          description: 'The user `reader` of the nats-server, who may read facts and nothing else.',
        },
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
            // 0: for ever.
            'max-age-seconds': stream.ageMsMax / msPerSecond,
            ...(stream.keepsLastOnly === true ? { 'max-messages-per-subject': 1 } : {}),
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
    part,
    example,
  } = fact;
  const id = idField && (part ? bundleIdExample : String(example[idField.sentName]));
  return {
    name: fullName,
    title: name,
    summary: fact.comment,
    contentType: 'application/json',
    ...(idField ? { headers: headers(idField.sentName, part) } : {}),
    payload: reference('components', 'schemas', name),
    examples: [
      {
        ...(id === undefined ? {} : { headers: { 'Nats-Msg-Id': id } }),
        payload: example as JsonObject,
      },
    ],
  };
}

function headers(idName: string, part: FactPart | undefined): JsonObject {
  const description = part
    ? `Made of each ${idName} in the payload: what has it was published once. ` +
      'The same fact may be in another message too.'
    : `The same as ${idName} of the payload: what has it was published once.`;
  return {
    type: 'object',
    required: ['Nats-Msg-Id'],
    properties: { 'Nats-Msg-Id': { type: 'string', description } },
  };
}

/** Returns the schema of the payload, and of its items when it is a list. */
function schemas(fact: BusFact): readonly (readonly [string, JsonObject])[] {
  const { message: whole, comment, fields, part } = fact;
  if (!part) return [[whole.name, object(comment, fields)]];
  const { message: one } = part;
  const items = { items: reference('components', 'schemas', one.name) };
  return [
    [whole.name, object(comment, fields, items)],
    [one.name, object(one.comment, part.fields)],
  ];
}

function object(
  description: string,
  fields: readonly FactField[],
  more: JsonObject = {},
): JsonObject {
  return {
    type: 'object',
    description,
    properties: byName(
      fields.map((field) => {
        const { schema } = jsonForm(field) as { readonly schema: JsonObject };
        const words = field.comment === '' ? {} : { description: field.comment };
        return [field.sentName, { ...schema, ...more, ...words }];
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
