import { defaultNamespace } from '@sluice/es';
import { parseStoreAddress } from '@sluice/eventstore';
import { Secret } from '@sluice/boot';
import { type Environment, NoConnections, readConnectionsFile } from './connections-file.ts';

/** The addresses of a Sluice. The URLs hold passwords. */
export interface Connections {
  readonly postgresUrl: Secret;
  readonly eventStoreUrl: Secret;
}

const settings = {
  postgresUrl: {
    name: 'SLUICE_POSTGRES_URL',
    field: 'postgres_url',
    begins: 'postgres://',
    isValid: (url: string) => ['postgres:', 'postgresql:'].includes(URL.parse(url)?.protocol ?? ''),
  },
  /** A URL with several hosts is no URL for Node.js. */
  eventStoreUrl: {
    name: 'SLUICE_EVENTSTORE_URL',
    field: 'eventstore_url',
    begins: 'esdb://',
    isValid: (url: string) => parseStoreAddress(url) !== undefined,
  },
} as const;

/**
 * Finds these URLs in the environment, or in `run/connections.json` in the data directory of a local Sluice; a URL of
 * the environment wins. Throws NoConnections.
 */
export async function findConnections<Name extends keyof Connections>(
  env: Environment,
  ...names: readonly Name[]
): Promise<Pick<Connections, Name>> {
  const needed = names.map((name) => settings[name].name);
  const file = needed.every((name) => env[name])
    ? undefined
    : await readConnectionsFile(env, needed.join(' and '));
  const urls = names.map((name) => [
    name,
    new Secret(requireUrl(name, env[settings[name].name] || file?.[settings[name].field])),
  ]);
  return Object.fromEntries(urls) as Pick<Connections, Name>;
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

/** Returns the URL. Throws NoConnections. */
export function requireUrl(which: keyof Connections, url: string | undefined): string {
  const { name, begins, isValid } = settings[which];
  if (url && isValid(url)) return url;
  throw new NoConnections(`${name} is not a URL that begins with ${begins}.`);
}
