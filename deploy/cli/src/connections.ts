import { join } from 'node:path';
import { readPrivateFile } from '@sluice/embedded';
import { Secret } from '@sluice/service';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

/** Where the Sluice is that is spoken to. The URLs hold passwords. */
export interface Connections {
  readonly postgresUrl: Secret;
  readonly eventStoreUrl: Secret;
}

/** There is nothing to connect to; the message is a sentence for whoever typed the command. */
export class NoConnections extends Error {
  override readonly name = 'NoConnections';
}

/** What a local Sluice says of itself while it runs. */
const fileSchema = Type.Object({ postgres_url: Type.String(), eventstore_url: Type.String() });

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Both URLs from the environment, or from `run/connections.json` in the data directory of a local
 * Sluice; a URL of the environment wins. Throws NoConnections.
 */
export async function findConnections(env: Environment): Promise<Connections> {
  const given = { postgres: env['SLUICE_POSTGRES_URL'], eventStore: env['SLUICE_EVENTSTORE_URL'] };
  const { postgres, eventStore } =
    given.postgres && given.eventStore ? given : await completed(given, env);
  requireUrl(postgres, { name: 'SLUICE_POSTGRES_URL', schemes: ['postgres:', 'postgresql:'] });
  requireUrl(eventStore, { name: 'SLUICE_EVENTSTORE_URL', schemes: ['esdb:', 'esdb+discover:'] });
  return { postgresUrl: new Secret(postgres), eventStoreUrl: new Secret(eventStore) };
}

async function completed(
  given: { readonly postgres: string | undefined; readonly eventStore: string | undefined },
  env: Environment,
) {
  const directory = env['SLUICE_DATA_DIR'] || '.data';
  const path = join(directory, 'run', 'connections.json');
  const text = await readPrivateFile(path).catch((error: unknown) => {
    throw new NoConnections(`${path} cannot be read: ${(error as Error).message}.`);
  });
  if (text === undefined)
    throw new NoConnections(
      `No Sluice runs on ${directory} (there is no ${path}): start it, name its directory in ` +
        'SLUICE_DATA_DIR, or set SLUICE_POSTGRES_URL and SLUICE_EVENTSTORE_URL.',
    );
  const { postgres_url: postgres, eventstore_url: eventStore } = parseFile(path, text);
  return { postgres: given.postgres || postgres, eventStore: given.eventStore || eventStore };
}

function parseFile(path: string, text: string) {
  try {
    return Value.Parse(fileSchema, JSON.parse(text));
  } catch {
    // The errors of parsers show the text, which holds passwords.
    throw new NoConnections(`${path} is not a file that a running Sluice writes.`);
  }
}

function requireUrl(
  url: string | undefined,
  { name, schemes }: { readonly name: string; readonly schemes: readonly string[] },
): asserts url is string {
  if (!url || !schemes.includes(URL.parse(url)?.protocol ?? ''))
    throw new NoConnections(`${name} is not a URL that begins with ${schemes[0]}//.`);
}
