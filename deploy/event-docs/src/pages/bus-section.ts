import type { StreamDefinition } from '@sluice/bus';
import type { BusFact, Place } from '../bus/facts.ts';
import { code, table } from './markdown.ts';

const msPerDay = 24 * 60 * 60_000;

/** Explains how to read the bus, then lists each message in a line. */
export function busSection(facts: readonly BusFact[]): readonly string[] {
  const streams = new Map(facts.flatMap(({ stream }) => (stream ? [[stream.name, stream]] : [])));
  return [
    '## On NATS',
    '',
    'The services publish facts for each other and for other programs.',
    '[examples](examples/README.md) has a consumer of usage, and says which amount of a fact is which. The user',
    '`reader` of the nats-server may read facts and nothing else.',
    '',
    'A payload is the proto3 JSON form of its message, UTF-8. A field at its default (empty, 0, false)',
    'is left out: read an absent one as that. Fields may be added: ignore those that you do not know.',
    'A message in a stream comes **at least once**: count it once by its id, which is also its header',
    '`Nats-Msg-Id`. A message that is a list of facts has one id made from theirs: count each fact once by',
    'its own id. A message without a stream comes **at most once**, to current subscribers.',
    '',
    ...table(
      ['Stream', 'Subjects', 'Kept'],
      [...streams.values()].map((stream) => [
        code(stream.name),
        stream.subjects.map(code).join(', '),
        keptFor(stream),
      ]),
    ),
    ...table(
      ['Subject', 'Message', 'Stream', 'From', 'To', 'Meaning'],
      facts.map((fact) => [
        code(`${fact.subjectPrefix}<${fact.subjectOwner}>`),
        code(fact.message.name),
        fact.stream ? code(fact.stream.name) : 'none',
        services(fact.publishers),
        services(fact.consumers),
        firstSentence(fact.comment),
      ]),
    ),
  ];
}

function keptFor({ ageMsMax, keepsLastOnly }: StreamDefinition): string {
  const kept = ageMsMax === 0 ? 'for ever' : `${ageMsMax / msPerDay} days`;
  return keepsLastOnly === true ? `${kept}, of each subject the last message only` : kept;
}

function services(found: readonly Place[]): string {
  return found.map(({ service }) => service).join(', ') || 'none';
}

function firstSentence(text: string): string {
  const [first = ''] = text.split(/(?<=\.) (?=[A-Z])/);
  return first.endsWith('.') ? first : `${first}.`;
}
