import type { Reader, StoredStream } from '../stored/streams.ts';
import { code, jsonBlock, paragraph, table } from './markdown.ts';

/** Explains how to read the event store, then lists the events of each stream. */
export function storedSection(streams: readonly StoredStream[]): readonly string[] {
  const example = streams[0]?.events[0]?.golden.at(-1);
  return [
    '## In the event store',
    '',
    'Each aggregate has one stream. Its name on disk begins with the namespace of the installation,',
    '`sluice.` by default. Only the service that owns a stream reads and writes it. The name of a',
    'projection or a reaction is the name of its checkpoint.',
    '',
    'An event has an id, a type, data and metadata. The id is a UUID made from the id of the command and',
    'the place of the event in it: a repeated command writes nothing new. Amounts are nano-USD (a billionth',
    'of a dollar) in decimal digits. Instants are ISO 8601 in UTC with milliseconds.',
    '`metadata.schemaVersion` names the shape of the data. An event never changes on disk: a reader turns',
    'an older version into today’s with the upcasters in `services/*/src/store`. Events hold no secret.',
    '',
    ...(example ? ['A whole event as it is stored:', '', ...jsonBlock(example)] : []),
    ...streams.flatMap(streamSection),
  ];
}

function streamSection(stream: StoredStream): readonly string[] {
  const { service, category, name, description, events, readers } = stream;
  const of = (kind: Reader['kind']) =>
    readers
      .filter((reader) => reader.kind === kind)
      .map((reader) => code(reader.name))
      .join(', ') || 'none';
  return [
    `### ${category}`,
    '',
    ...paragraph(`${description} Stream ${code(name)} of the ${service} service.`),
    ...paragraph(`Projections: ${of('projection')}. Reactions: ${of('reaction')}.`),
    '',
    ...table(
      ['Event', 'Meaning'],
      events.map(({ type, schemaVersion, description }) => [
        schemaVersion === 1 ? code(type) : `${code(type)}, version ${schemaVersion}`,
        description,
      ]),
    ),
  ];
}
