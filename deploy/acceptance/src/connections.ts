import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Instance } from './instance.ts';

/** The addresses and secrets that a running instance writes for commands of its machine. */
export type Connections = Readonly<
  Record<
    | `${'postgres' | 'eventstore' | 'nats'}_url`
    | `${'account' | 'workspace' | 'key' | 'ledger'}_address`
    | 'rpc_token'
    | 'event_key',
    string
  >
>;

export async function connectionsOf({
  dataDirectory,
}: Pick<Instance, 'dataDirectory'>): Promise<Connections> {
  const file = join(dataDirectory, 'run', 'connections.json');
  return JSON.parse(await readFile(file, 'utf8')) as Connections;
}
