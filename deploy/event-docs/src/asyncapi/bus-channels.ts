import { bundleIdExample } from '../bus/examples.ts';
import type { BusFact, FactField, FactPart, Place } from '../bus/facts.ts';
import { jsonForm } from '../bus/messages.ts';
import { byName, type JsonObject, type Named, parameterName, reference } from './json.ts';

const msPerSecond = 1_000;

/** The subject of a kind of message. */
export function busChannel(fact: BusFact): JsonObject {
  const { comment, stream, subjectOwner, subjectPrefix } = fact;
  const { name } = fact.message;
  const parameter = parameterName(subjectOwner);
  return {
    address: `${subjectPrefix}{${parameter}}`,
    description: comment,
    servers: [reference('servers', 'nats')],
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

export function busOperations(fact: BusFact): Named {
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
    ...fact.publishers.map((place) => of('send', place)),
    ...fact.consumers.map((place) => of('receive', place)),
  ];
}

export function busMessage(fact: BusFact): JsonObject {
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
export function busSchemas(fact: BusFact): Named {
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
        const words = field.comment === '' ? {} : { description: field.comment };
        return [field.sentName, { ...jsonForm(field), ...more, ...words }];
      }),
    ),
  };
}
