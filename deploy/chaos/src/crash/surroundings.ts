import { join } from 'node:path';
import type { Instance } from '@sluice/acceptance/instance';
import { readPrivateFile } from '@sluice/embedded';
import { nodeUrl } from '@sluice/eventstore-server';
import { eventStoreSecrets } from '@sluice/local';

/** The addresses of the parts that the public API does not show, with their credentials. */
export interface Surroundings {
  readonly eventStoreUrl: string;
  readonly postgresUrl: string;
  readonly accountAddress: string;
  readonly ledgerAddress: string;
  readonly rpcToken: string;
  /** The process id of a part is in here, in a file of its name. */
  readonly pidFileOf: (part: string) => string;
}

/** Reads what `npm run start:services` keeps in its data directory. */
export async function surroundingsOf({
  dataDirectory,
}: Pick<Instance, 'dataDirectory'>): Promise<Surroundings> {
  const read = async (...path: readonly string[]) => {
    const file = join(dataDirectory, ...path);
    const text = await readPrivateFile(file);
    if (text === undefined) throw new Error(`${file} is missing`);
    return text.trim();
  };
  const ports = JSON.parse(await read('ports.json')) as Readonly<Record<string, number>>;
  const password = await read('postgres', 'password');
  return {
    eventStoreUrl: await nodeUrl({
      secretsDirectory: eventStoreSecrets(dataDirectory),
      port: Number(ports['eventstore']),
    }),
    postgresUrl: `postgres://sluice:${password}@127.0.0.1:${ports['postgres']}/postgres`,
    accountAddress: `127.0.0.1:${ports['account']}`,
    ledgerAddress: `127.0.0.1:${ports['ledger']}`,
    rpcToken: await read('secrets', 'rpc-token'),
    pidFileOf: (part) => join(dataDirectory, 'run', `${part}.pid`),
  };
}
