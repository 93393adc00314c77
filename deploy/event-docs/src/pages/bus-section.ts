import type { StreamDefinition } from '@sluice/bus';
import type { BusFact, FactField, Place } from '../bus/facts.ts';
import { jsonForm } from '../bus/messages.ts';
import { anchor, code, jsonBlock, link, sentences, table } from './markdown.ts';

const msPerMinute = 60_000;
const msPerDay = 24 * 60 * msPerMinute;

/** All that is on NATS: an overview, how it is written, then each message. */
export function busSection(facts: readonly BusFact[]): readonly string[] {
  return [
    '## On NATS',
    '',
    'What the services tell each other, and whoever else listens. [asyncapi.yaml](asyncapi.yaml) says',
    'the same for machines; [examples](examples/README.md) has a consumer of usage.',
    '',
    ...table(
      ['Message', 'Subject', 'Stream', 'Published by', 'Consumed by'],
      facts.map((fact) => [
        `[${fact.message.name}](${anchor(fact.message.name)})`,
        code(subjectPattern(fact)),
        fact.stream ? code(fact.stream.name) : 'none',
        services(fact.publishers),
        services(fact.consumers),
      ]),
    ),
    'A payload is the proto3 JSON form of its message, UTF-8. A field at its default (empty, 0, false)',
    'is left out: read an absent one as that. Fields may be added: pass over those that you do not',
    'know. A message in a stream comes **at least once** and is to be counted once by its id, which is',
    'also its header `Nats-Msg-Id`, or, when it is a list of facts, each of them by its own id; without',
    'a stream it comes **at most once**, to those who listen.',
    '',
    ...facts.flatMap(factSection),
  ];
}

function keptFor({ ageMsMax, keepsLastOnly }: StreamDefinition): string {
  const kept = ageMsMax === 0 ? 'kept for ever' : `kept ${ageMsMax / msPerDay} days`;
  return keepsLastOnly === true ? `${kept}, of each subject the last message only` : kept;
}

function factSection(fact: BusFact): readonly string[] {
  const { message, comment, filter, stream, part, example } = fact;
  const kept = stream
    ? [
        `- Stream: ${code(stream.name)}, ${keptFor(stream)}; the same id again within ` +
          `${stream.duplicateWindowMs / msPerMinute} minutes is not stored`,
      ]
    : ['- Stream: none (core NATS)'];
  return [
    `### ${message.name}`,
    '',
    sentences(comment),
    '',
    `- Subject: ${code(subjectPattern(fact))}; all of them: ${code(filter)}`,
    ...kept,
    ...idLine(fact),
    `- Published by: ${places(fact.publishers)}`,
    `- Consumed by: ${places(fact.consumers)}`,
    `- Message: ${code(message.fullName)} in ${link(message.protoFile, message.protoFile)}`,
    '',
    ...fieldTable(fact.fields),
    ...(part
      ? [
          `#### ${part.message.name}`,
          '',
          sentences(part.message.comment),
          '',
          ...fieldTable(part.fields),
        ]
      : []),
    ...jsonBlock(example),
  ];
}

function idLine({ idField, part }: BusFact): readonly string[] {
  if (!idField) return [];
  const id = code('Nats-Msg-Id');
  if (!part) return [`- ${id}: the same as ${code(idField.sentName)}`];
  return [
    `- ${id}: made of each ${code(idField.sentName)} inside; what is counted once is each of these`,
  ];
}

function fieldTable(fields: readonly FactField[]): readonly string[] {
  return table(
    ['Field', 'Written as', 'Meaning'],
    fields.map((field) => [code(field.sentName), jsonForm(field).words, sentences(field.comment)]),
  );
}

export function subjectPattern({ subjectPrefix, subjectOwner }: BusFact): string {
  return `${subjectPrefix}<${subjectOwner}>`;
}

function services(found: readonly Place[]): string {
  return [...new Set(found.map(({ service }) => service))].join(', ') || 'nobody';
}

function places(found: readonly Place[]): string {
  const texts = found.map(({ service, file, durable }) => {
    const inside = file.slice(`services/${service}/src/`.length);
    const consumer = durable === undefined ? '' : `, durable consumer ${code(durable)}`;
    return `${service} (${link(inside, file)}${consumer})`;
  });
  return texts.join('; ') || 'nobody';
}
