import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DocumentationProblem } from '../problem.ts';
import { only, type Repository } from '../repository.ts';
import { parseDeclarations } from '../typescript/declarations.ts';
import { type Field, mismatch, Shapes } from '../typescript/shapes.ts';
import { projectionFiles, readersOf } from './readers.ts';
import type { GoldenEvent, StoredAggregate, StoredEvent } from './stored-event.ts';

/** What of a codec is asked here; `decode` upcasts. */
interface Codec {
  readonly types: readonly string[];
  schemaVersion(type: string): number;
  decode(recorded: GoldenEvent): { readonly data: unknown };
}

/**
 * Every aggregate that has a `store/<aggregate>-events.ts`, in the order of services and files.
 * Throws when codecs, shapes, golden files, projections and reactions do not fit each other.
 */
export async function storedAggregates(
  repository: Repository,
): Promise<readonly StoredAggregate[]> {
  const aggregates: StoredAggregate[] = [];
  for (const service of repository.names('services'))
    for (const storeFile of repository.sources(`services/${service}/src/store`))
      if (storeFile.endsWith('-events.ts'))
        aggregates.push(await readAggregate(repository, service, storeFile));
  const known = aggregates.flatMap(({ readers }) => readers.map(({ file }) => file));
  const stray = repository
    .names('services')
    .flatMap((service) => projectionFiles(repository, service))
    .filter((file) => !known.includes(file));
  if (stray.length > 0)
    throw new DocumentationProblem(`which events does it follow? ${stray.join(', ')}`);
  return aggregates;
}

async function readAggregate(
  repository: Repository,
  service: string,
  storeFile: string,
): Promise<StoredAggregate> {
  const store = repository.text(storeFile);
  const { codec, streamPrefix } = await loadStore(repository, storeFile);
  const domain = matched(store, /'\.\.\/domain\/([\w-]+)\/events\.ts'/g, storeFile);
  const union = matched(store, /eventCodec<(\w+)>/g, storeFile);
  const streamPattern = matched(store, /streams `([^`]+)`/g, storeFile);
  if (!streamPattern.startsWith(streamPrefix))
    throw new DocumentationProblem(
      `${storeFile}: its comment says ${streamPattern}, its stream prefix is ${streamPrefix}`,
    );
  const folder = `services/${service}/src/domain/${domain}`;
  const eventsFile = `${folder}/events.ts`;
  const shapes = new Shapes(parseDeclarations(repository.text(eventsFile), eventsFile), eventsFile);
  requireSameTypes(shapes, union, codec, storeFile);
  return {
    service,
    category: streamPrefix.replace(/-$/, ''),
    streamPattern,
    comment: shapes.declaration(union).comment,
    eventsFile,
    storeFile,
    events: codec.types.map((type) => readEvent(repository, { shapes, codec, type, folder })),
    readers: readersOf(repository, { service, storeFile, types: codec.types }),
  };
}

async function loadStore(repository: Repository, storeFile: string) {
  const url = pathToFileURL(join(repository.root, storeFile)).href;
  const exported = Object.entries((await import(url)) as Readonly<Record<string, unknown>>);
  const codecs = exported.filter(([name]) => name.endsWith('Events')).map(([, value]) => value);
  const prefixes = exported
    .filter(([name]) => name.endsWith('StreamPrefix'))
    .map(([, value]) => value);
  return {
    codec: only(codecs, `${storeFile}: an exported …Events`) as Codec,
    streamPrefix: only(prefixes, `${storeFile}: an exported …StreamPrefix`) as string,
  };
}

function requireSameTypes(shapes: Shapes, union: string, codec: Codec, storeFile: string): void {
  const { type } = shapes.declaration(union);
  const declared = (type.kind === 'union' ? type.members : [type]).map((member) =>
    member.kind === 'reference' ? member.name : `a ${member.kind}`,
  );
  const missing = [
    ...declared.filter((name) => !codec.types.includes(name)),
    ...codec.types.filter((name) => !declared.includes(name)),
  ];
  if (missing.length > 0)
    throw new DocumentationProblem(
      `${storeFile} and ${union} name different events: ${missing.join(', ')}`,
    );
}

interface EventSource {
  readonly shapes: Shapes;
  readonly codec: Codec;
  readonly type: string;
  /** Of the aggregate's domain. */
  readonly folder: string;
}

function readEvent(repository: Repository, source: EventSource): StoredEvent {
  const { shapes, codec, type, folder } = source;
  const schemaVersion = codec.schemaVersion(type);
  const golden = (version: number) => `${folder}/golden/${type}.v${version}.json`;
  const { data, comment } = eventShape(shapes, type, folder);
  const example = repository.json(golden(schemaVersion)) as GoldenEvent;
  const wrong = mismatch(data, example.data);
  if (wrong !== undefined)
    throw new DocumentationProblem(`${golden(schemaVersion)} does not fit ${type}: ${wrong}`);
  const earlierVersions = Array.from({ length: schemaVersion - 1 }, (_, index) => ({
    version: index + 1,
    file: golden(index + 1),
  }));
  for (const { file } of earlierVersions) {
    const upcast = mismatch(data, codec.decode(repository.json(file) as GoldenEvent).data);
    if (upcast !== undefined)
      throw new DocumentationProblem(`${file} is not upcast to today's ${type}: ${upcast}`);
  }
  return { type, comment, schemaVersion, fields: data.fields, example, earlierVersions };
}

function eventShape(shapes: Shapes, type: string, folder: string) {
  const shape = shapes.named(type);
  const fields = shape.kind === 'object' ? shape.fields : [];
  const named = (name: string) => fields.find((field: Field) => field.name === name)?.shape;
  const tag = named('type');
  const data = named('data');
  if (fields.length !== 2 || tag?.kind !== 'literal' || tag.value !== type)
    throw new DocumentationProblem(
      `${folder}/events.ts: ${type} is not {type: '${type}', data: …}`,
    );
  if (data?.kind !== 'object')
    throw new DocumentationProblem(`${folder}/events.ts: the data of ${type} is no object`);
  const { comment } = shapes.declaration(type);
  return { comment, data };
}

function matched(text: string, pattern: RegExp, where: string): string {
  const found = [...text.matchAll(pattern)].map((match) => match[1] as string);
  return only([...new Set(found)], `${where}: ${pattern.source}`);
}
