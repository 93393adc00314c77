import { posix } from 'node:path';
import type { BusFact } from '../bus/facts.ts';
import type { Reader, StoredAggregate, StoredEvent } from '../stored/stored-event.ts';
import { anchor, code, jsonBlock, link, sentences, table, typeScriptBlock } from './markdown.ts';

export interface StoredSection {
  readonly aggregates: readonly StoredAggregate[];
  readonly metadata: string;
  readonly facts: readonly BusFact[];
}

/** All that is in the event store: an overview, the metadata, then each aggregate. */
export function storedSection({ aggregates, metadata, facts }: StoredSection): readonly string[] {
  return [
    '## In the event store',
    '',
    'One stream per aggregate. Its name on disk begins with the namespace of the installation (`sluice.` by default).',
    'The id of an event is a UUID made of its command id and its place in the command.',
    'Amounts are nano-USD (a billionth of a dollar), instants ISO 8601 in UTC with milliseconds.',
    '',
    ...table(
      ['Event', 'Version', 'Stream', 'Projections', 'Reactions'],
      aggregates.flatMap((aggregate) =>
        aggregate.events.map((event) => overview(aggregate, event)),
      ),
    ),
    ...metadataSection(metadata, aggregates),
    ...aggregates.flatMap((aggregate) => aggregateSection(aggregate, facts)),
  ];
}

function overview(aggregate: StoredAggregate, { type, schemaVersion }: StoredEvent) {
  const names = (kind: Reader['kind']) =>
    readersOfType(aggregate, kind, type)
      .map(({ name }) => code(name))
      .join(', ') || 'none';
  return [
    `[${type}](${anchor(type)})`,
    String(schemaVersion),
    code(aggregate.streamPattern),
    names('projection'),
    names('reaction'),
  ];
}

function metadataSection(
  metadata: string,
  aggregates: readonly StoredAggregate[],
): readonly string[] {
  const example = aggregates[0]?.events[0]?.example;
  return [
    '### What each event carries',
    '',
    `Its metadata, ${code('EventMetadata')} in ${link('libs/es', 'libs/es/src/event.ts')}:`,
    '',
    ...typeScriptBlock(metadata),
    ...(example ? ['A whole event as it is stored:', '', ...jsonBlock(example)] : []),
  ];
}

function aggregateSection(
  aggregate: StoredAggregate,
  facts: readonly BusFact[],
): readonly string[] {
  const { service, category, streamPattern, eventsFile, storeFile, declarations } = aggregate;
  return [
    `### ${service}: the aggregate ${code(category)}`,
    '',
    `Streams ${code(streamPattern)}.`,
    `Sources: ${[eventsFile, storeFile].map((file) => link(posix.basename(file), file)).join(', ')}.`,
    '',
    ...aggregate.readers.map((reader) => readerLine(service, reader, facts)),
    '',
    ...typeScriptBlock(declarations),
    ...aggregate.events.flatMap((event) => eventSection(aggregate, event)),
  ];
}

function readerLine(service: string, reader: Reader, facts: readonly BusFact[]): string {
  const { kind, name, version, comment, file, tables, publishes } = reader;
  const written = tables.map((table) => code(`${service}.${table}`));
  const told = facts
    .filter((fact) => publishes.includes(fact.name))
    .map(({ message }) => `[${message.name}](${anchor(message.name)})`);
  const publishing = told.length > 0 ? `Publishes ${told.join(', ')}` : '';
  const writing = written.length > 0 ? `Writes ${written.join(', ')}` : '';
  const title = `${kind} ${link(code(name), file)}, version ${version}`;
  return `- ${title}: ${sentences(comment, writing, publishing)}`;
}

function eventSection(aggregate: StoredAggregate, event: StoredEvent): readonly string[] {
  const { type, schemaVersion, example, earlierVersions } = event;
  const earlier = earlierVersions.map(({ version, file }) => link(String(version), file));
  const names = (kind: Reader['kind']) =>
    readersOfType(aggregate, kind, type).map(({ name }) => code(name));
  const list = (found: readonly string[]) => (found.length > 0 ? found.join(', ') : 'nobody');
  return [
    `#### ${type}`,
    '',
    sentences(
      `Schema version ${schemaVersion}`,
      earlier.length > 0 ? `Upcast from ${earlier.join(', ')}` : '',
      `Projected by ${list(names('projection'))}`,
      `Reacted to by ${list(names('reaction'))}`,
    ),
    '',
    ...jsonBlock(example.data),
  ];
}

function readersOfType(
  { readers }: StoredAggregate,
  kind: Reader['kind'],
  type: string,
): readonly Reader[] {
  return readers.filter((reader) => reader.kind === kind && reader.handles.includes(type));
}
