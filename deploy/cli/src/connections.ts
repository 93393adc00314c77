import { defaultNamespace } from '@sluice/es';
import { parseStoreAddress } from '@sluice/eventstore';
import { Secret } from '@sluice/boot';
import { type Environment, NoConnections, readConnectionsFile } from './connections-file.ts';

/** The addresses of a Sluice. The URLs hold passwords. */
export interface Connections {
  readonly postgresUrl: Secret;
  readonly eventStoreUrl: Secret;
}

interface UrlSetting {
  readonly name: string;
  readonly begins: string;
  readonly isValid: (url: string) => boolean;
}

const postgresSetting: UrlSetting = {
  name: 'SLUICE_POSTGRES_URL',
  begins: 'postgres://',
  isValid: (url) => ['postgres:', 'postgresql:'].includes(URL.parse(url)?.protocol ?? ''),
};
/** A URL with several hosts is no URL for Node.js. */
const eventStoreSetting: UrlSetting = {
  name: 'SLUICE_EVENTSTORE_URL',
  begins: 'esdb://',
  isValid: (url) => parseStoreAddress(url) !== undefined,
};

/**
 * Both URLs from the environment, or from `run/connections.json` in the data directory of a local
 * Sluice; a URL of the environment wins. Throws NoConnections.
 */
export async function findConnections(env: Environment): Promise<Connections> {
  const given = { postgres: env['SLUICE_POSTGRES_URL'], eventStore: env['SLUICE_EVENTSTORE_URL'] };
  const { postgres, eventStore } =
    given.postgres && given.eventStore ? given : await completed(given, env);
  requireUrl(postgres, postgresSetting);
  requireUrl(eventStore, eventStoreSetting);
  return { postgresUrl: new Secret(postgres), eventStoreUrl: new Secret(eventStore) };
}

/** That of PostgreSQL alone, found like both. Throws NoConnections. */
export async function findPostgresUrl(env: Environment): Promise<Secret> {
  const url =
    env['SLUICE_POSTGRES_URL'] ||
    (await readConnectionsFile(env, 'SLUICE_POSTGRES_URL')).postgres_url;
  requireUrl(url, postgresSetting);
  return new Secret(url);
}

/** That of the event store alone, found like both. Throws NoConnections. */
export async function findEventStoreUrl(env: Environment): Promise<Secret> {
  const url =
    env['SLUICE_EVENTSTORE_URL'] ||
    (await readConnectionsFile(env, 'SLUICE_EVENTSTORE_URL')).eventstore_url;
  requireUrl(url, eventStoreSetting);
  return new Secret(url);
}

/**
 * The namespace of the streams: that of the environment, else that of the local Sluice whose event store is used,
 * else the default. Set and empty: none.
 */
export async function findNamespace(env: Environment): Promise<string> {
  const given = env['SLUICE_EVENTSTORE_NAMESPACE'];
  if (given !== undefined) return given;
  if (env['SLUICE_EVENTSTORE_URL']) return defaultNamespace;
  const local = await readConnectionsFile(env, 'SLUICE_EVENTSTORE_URL');
  return local.eventstore_namespace ?? defaultNamespace;
}

/**
 * Returns the key that events are signed with: that of the environment, else that of the local Sluice whose event store
 * is used; undefined for none.
 */
export async function findEventKey(env: Environment): Promise<string | undefined> {
  const given = env['SLUICE_EVENT_KEY'];
  if (given) return given;
  if (env['SLUICE_EVENTSTORE_URL']) return undefined;
  return (await readConnectionsFile(env, 'SLUICE_EVENTSTORE_URL')).event_key;
}

async function completed(
  given: { readonly postgres: string | undefined; readonly eventStore: string | undefined },
  env: Environment,
) {
  const { postgres_url: postgres, eventstore_url: eventStore } = await readConnectionsFile(
    env,
    'SLUICE_POSTGRES_URL and SLUICE_EVENTSTORE_URL',
  );
  return { postgres: given.postgres || postgres, eventStore: given.eventStore || eventStore };
}

/** Returns the URL. Throws NoConnections. */
export function requirePostgresUrl(url: string | undefined): string {
  requireUrl(url, postgresSetting);
  return url;
}

/** Returns the URL. Throws NoConnections. */
export function requireEventStoreUrl(url: string | undefined): string {
  requireUrl(url, eventStoreSetting);
  return url;
}

function requireUrl(
  url: string | undefined,
  { name, begins, isValid }: UrlSetting,
): asserts url is string {
  if (!url || !isValid(url))
    throw new NoConnections(`${name} is not a URL that begins with ${begins}.`);
}
