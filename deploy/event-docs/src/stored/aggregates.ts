import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DocumentationProblem } from '../problem.ts';
import { only, type Repository } from '../repository.ts';
import { requireDeclared, type UpcastEvent } from './golden-files.ts';
import { projectionFiles, readersOf } from './readers.ts';
import type { GoldenEvent, StoredAggregate } from './stored-event.ts';

/** The part of a codec used here; `decode` upcasts. */
interface Codec {
  readonly types: readonly string[];
  schemaVersion(type: string): number;
  decode(recorded: GoldenEvent): unknown;
}

/**
 * Every aggregate that has a `store/<aggregate>-events.ts`, in the order of services and files.
 * Throws when codecs, declarations, golden files, projections and reactions do not fit each other.
 */
export async function storedAggregates(
  repository: Repository,
): Promise<readonly StoredAggregate[]> {
  const aggregates: StoredAggregate[] = [];
  const upcast: UpcastEvent[] = [];
  for (const service of repository.names('services'))
    for (const storeFile of repository.sources(`services/${service}/src/store`))
      if (storeFile.endsWith('-events.ts'))
        aggregates.push(await readAggregate(repository, { service, storeFile, upcast }));
  const known = aggregates.flatMap(({ readers }) => readers.map(({ file }) => file));
  const stray = repository
    .names('services')
    .flatMap((service) => projectionFiles(repository, service))
    // The stream of the installation belongs to no service: its events are those of libs/read-model.
    .filter(
      (file) => !known.includes(file) && !/\binstallationStream\b/.test(repository.text(file)),
    );
  if (stray.length > 0)
    throw new DocumentationProblem(`which events does it follow? ${stray.join(', ')}`);
  await requireDeclared(upcast);
  return aggregates;
}

interface AggregateSource {
  readonly service: string;
  readonly storeFile: string;
  /** Gets what each golden file of the aggregate is today. */
  readonly upcast: UpcastEvent[];
}

async function readAggregate(
  repository: Repository,
  { service, storeFile, upcast }: AggregateSource,
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
  const source = repository.text(eventsFile).trimEnd();
  if (/^import\b|\bimport\(/m.test(source))
    throw new DocumentationProblem(
      `${eventsFile}: it has to declare all types of its events itself`,
    );
  const declarations = join(repository.root, eventsFile);
  const events = codec.types.map((type) => {
    const schemaVersion = codec.schemaVersion(type);
    const files = Array.from(
      { length: schemaVersion },
      (_, index) => `${folder}/golden/${type}.v${index + 1}.json`,
    );
    const golden = files.map((file) => repository.json(file) as GoldenEvent);
    for (const [index, file] of files.entries()) {
      const event = codec.decode(golden[index] as GoldenEvent);
      upcast.push({ file, declarations, union, type, event });
    }
    const earlierVersions = files.slice(0, -1).map((file, index) => ({ version: index + 1, file }));
    return { type, schemaVersion, example: golden.at(-1) as GoldenEvent, earlierVersions };
  });
  return {
    service,
    category: streamPrefix.replace(/-$/, ''),
    streamPattern,
    eventsFile,
    declarations: source,
    storeFile,
    events,
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

function matched(text: string, pattern: RegExp, where: string): string {
  const found = [...text.matchAll(pattern)].map((match) => match[1] as string);
  return only([...new Set(found)], `${where}: ${pattern.source}`);
}
