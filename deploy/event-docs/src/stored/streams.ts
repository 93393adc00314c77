import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Event, EventCodec } from '@sluice/es';
import type { Projection, ReadModels } from '@sluice/read-model';
import { DocumentationProblem } from '../problem.ts';
import { only, type Repository } from '../repository.ts';

/** The streams of one aggregate in the event store. */
export interface StoredStream {
  readonly service: string;
  readonly category: string;
  /** `apiKey-<hash>`. */
  readonly name: string;
  readonly description: string;
  readonly events: readonly StoredEvent[];
  readonly readers: readonly Reader[];
}

export interface StoredEvent {
  readonly type: string;
  readonly description: string;
  readonly schemaVersion: number;
  /** JSON Schema of the data of today's version. */
  readonly schema: object;
  /** The golden file of each version, from 1 to today's, as it lies in the store. */
  readonly golden: readonly GoldenEvent[];
}

export interface GoldenEvent {
  readonly data: object;
  readonly metadata: object;
}

/** A projection or a reaction that follows the streams of an aggregate. */
export interface Reader {
  readonly kind: 'projection' | 'reaction';
  /** The name in the checkpoints: `key.api_keys`. */
  readonly name: string;
  /** Tables in the schema of its service; none for a reaction. */
  readonly tables: readonly string[];
}

/** Every stream whose codec is exported by a `store/*-events.ts`, in the order of services and files. */
export async function storedStreams(repository: Repository): Promise<readonly StoredStream[]> {
  const streams = await Promise.all(
    repository.names('services').map((service) => streamsOf(repository, service)),
  );
  return streams.flat();
}

async function streamsOf(
  repository: Repository,
  service: string,
): Promise<readonly StoredStream[]> {
  const folder = `services/${service}/src`;
  const files = repository.sources(`${folder}/store`).filter((file) => file.endsWith('-events.ts'));
  if (files.length === 0) return [];
  const models = await exportsOf(repository, `${folder}/read-models.ts`);
  const { projections } = only(models as readonly ReadModels[], `${folder}/read-models.ts`);
  const reactions = reactionsOf(repository, folder, files);
  return await Promise.all(
    files.map(async (file) => {
      const codecs = (await exportsOf(repository, file)).filter(isCodec);
      const codec = only(codecs, `${file}: an exported codec`);
      const { category, id, description } = codec.stream;
      return {
        service,
        category,
        name: `${category}-${id}`,
        description,
        events: eventsOf(repository, codec, `${folder}/domain`),
        readers: [...projectionsOf(projections, category), ...reactions(file)],
      };
    }),
  );
}

function eventsOf(
  repository: Repository,
  codec: EventCodec<Event>,
  folder: string,
): readonly StoredEvent[] {
  const files = repository.files(folder);
  return Object.entries(codec.stream.events).map(([type, schema]) => {
    const schemaVersion = codec.schemaVersion(type);
    const golden = Array.from({ length: schemaVersion }, (_, index) => {
      const name = `/golden/${type}.v${index + 1}.json`;
      const found = files.filter((file) => file.endsWith(name));
      return repository.json(only(found, `${folder}: ${name}`)) as GoldenEvent;
    });
    const { description, ...data } = plain(schema) as { readonly description?: string };
    if (description === undefined)
      throw new DocumentationProblem(`${folder}: the schema of ${type} has no description`);
    return { type, description, schemaVersion, schema: data, golden };
  });
}

const projectionsOf = (projections: readonly Projection[], category: string): readonly Reader[] =>
  projections
    .filter(({ streamPrefixes }) => streamPrefixes.includes(`${category}-`))
    .map(({ projection, tables }) => ({ kind: 'projection', name: projection, tables }));

/**
 * Returns a function from a store file to the reactions that follow its events. A reaction is made from connections, so
 * its name and its streams are looked up in its source.
 */
function reactionsOf(
  repository: Repository,
  folder: string,
  storeFiles: readonly string[],
): (storeFile: string) => readonly Reader[] {
  const found = repository.sources(`${folder}/reactions`).flatMap((file) => {
    const source = repository.text(file);
    const follows = storeFiles.filter((one) => isFollowed(source, one.slice(folder.length)));
    const names = [...source.matchAll(/\bprojection: '([\w.]+)'/g)].map(([, name = '']) => name);
    // The events of the installation's stream belong to no service.
    if (names.length > 0 && follows.length === 0 && !source.includes('installationStream'))
      throw new DocumentationProblem(`${file}: which streams does it follow?`);
    return names.map((name) => ({ name, follows }));
  });
  return (storeFile) =>
    found
      .filter(({ follows }) => follows.includes(storeFile))
      .map(({ name }) => ({ kind: 'reaction', name, tables: [] }));
}

/** A reaction may also import the events of streams to which it only sends commands. */
function isFollowed(source: string, storeFile: string): boolean {
  const [, events] = new RegExp(`(\\w+Events)\\b[^;]*'\\.\\.${storeFile}'`).exec(source) ?? [];
  if (events === undefined) return false;
  const following = `${events}\\.streamPrefix|events: ${events}|streamReaction\\(\\s*${events}`;
  return new RegExp(`\\b(?:${following})\\b`).test(source);
}

const isCodec = (value: unknown): value is EventCodec<Event> =>
  typeof value === 'object' && value !== null && 'stream' in value && 'schemaVersion' in value;

async function exportsOf(repository: Repository, file: string): Promise<readonly unknown[]> {
  const url = pathToFileURL(join(repository.root, file)).href;
  return Object.values((await import(url)) as Readonly<Record<string, unknown>>);
}

/** Returns a schema without the members that only TypeBox reads. */
function plain(schema: object): object {
  return JSON.parse(JSON.stringify(schema)) as object;
}
