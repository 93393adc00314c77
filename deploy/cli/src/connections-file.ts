import { join } from 'node:path';
import { readPrivateFile } from '@sluice/embedded';
import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';

/** There is nothing to connect to; the message is a sentence for whoever typed the command. */
export class NoConnections extends Error {
  override readonly name = 'NoConnections';
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The file that a local Sluice writes while it runs. */
const schema = Type.Object({
  postgres_url: Type.String(),
  eventstore_url: Type.String(),
  nats_url: Type.Optional(Type.String()),
  nats_token: Type.Optional(Type.String()),
  nats_monitor_url: Type.Optional(Type.String()),
  eventstore_namespace: Type.Optional(Type.String()),
  account_address: Type.Optional(Type.String()),
  workspace_address: Type.Optional(Type.String()),
  key_address: Type.Optional(Type.String()),
  ledger_address: Type.Optional(Type.String()),
  analytics_address: Type.Optional(Type.String()),
  sandbox_address: Type.Optional(Type.String()),
  rpc_token: Type.Optional(Type.String()),
  event_key: Type.Optional(Type.String()),
});

/**
 * Reads `run/connections.json` in the data directory of a local Sluice. Throws NoConnections, which names the settings
 * that would do as well.
 */
export async function readConnectionsFile(
  env: Environment,
  settings: string,
): Promise<Static<typeof schema>> {
  return await readDataFile(env, {
    place: 'run/connections.json',
    schema,
    lacking: 'No Sluice runs',
    writer: 'a running Sluice',
    otherwise: `set ${settings}`,
  });
}

interface DataFile<Schema extends TSchema> {
  /** Below the data directory. */
  readonly place: string;
  readonly schema: Schema;
  /** The beginnings and ends of the sentences that tell why there is nothing to read. */
  readonly lacking: string;
  readonly writer: string;
  readonly otherwise: string;
}

/** Reads a file that a local Sluice left in its data directory. Throws NoConnections. */
export async function readDataFile<Schema extends TSchema>(
  env: Environment,
  { place, schema, lacking, writer, otherwise }: DataFile<Schema>,
): Promise<Static<Schema>> {
  const directory = env['SLUICE_DATA_DIR'] || '.data';
  const path = join(directory, place);
  const text = await readPrivateFile(path).catch((error: unknown) => {
    throw new NoConnections(`${path} cannot be read: ${(error as Error).message}.`);
  });
  if (text === undefined)
    throw new NoConnections(
      `${lacking} on ${directory} (there is no ${path}): start it, name its directory in ` +
        `SLUICE_DATA_DIR, or ${otherwise}.`,
    );
  try {
    return Value.Parse(schema, JSON.parse(text));
  } catch {
    // The errors of parsers show the text, which holds passwords and keys.
    throw new NoConnections(`${path} is not a file that ${writer} writes.`);
  }
}
