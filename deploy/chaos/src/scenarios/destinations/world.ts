import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, startPostgres } from '@sluice/embedded';
import { type KeyManagement, localKeyManagement } from '@sluice/envelope';
import { observerProcess } from '@sluice/observer/testing/processes';
import { openDatabase } from '@sluice/read-model';
import { type Position, readPositions } from '../../audit/deliveries/positions.ts';
import { type Broker, startBroker } from '../../parts/broker.ts';
import { startReturning } from '../../parts/returning-process.ts';
import { destinations } from './chosen.ts';
import { accountId, workspaceId } from './generations.ts';

const parts = ['observer', 'nats', 'receiver'] as const;
export type Part = (typeof parts)[number];

/** The observer in a process of its own, with a broker, PostgreSQL and a receiver, and the list of its destinations. */
export interface World extends AsyncDisposable {
  readonly broker: Broker;
  readonly keys: KeyManagement;
  /** Has a file for each destination, with the generations that it took. */
  readonly taken: string;
  /** Kills a part with SIGKILL. Resolves when its next process has started. */
  kill(part: Part): Promise<void>;
  /** Returns the position of each destination, once the observer knows them. */
  status(): Promise<readonly Position[]>;
}

const receiverMain = join(import.meta.dirname, 'receiver-main.ts');

export async function startWorld(folder: string): Promise<World> {
  await using stack = new AsyncDisposableStack();
  const onLog = () => undefined;
  const postgresFolder = join(folder, 'postgres');
  const postgres = await startPostgres({ directory: postgresFolder, durability: 'none', onLog });
  stack.defer(() => postgres.stop());
  const broker = stack.use(await startBroker(join(folder, 'broker')));
  const keyFile = join(folder, 'envelope-keys');
  const keys = await localKeyManagement(keyFile);
  const taken = join(folder, 'taken');
  await mkdir(taken);
  const port = String(await freePort());
  const places = { postgresUrl: postgres.url, keyFile };
  const listed = destinationsAt(`http://127.0.0.1:${port}`);
  const { program, env } = stack.use(await observerProcess(listed, places));
  const receiver = stack.use(
    await startReturning({ name: 'receiver', program: receiverMain, args: [taken, port], env: {} }),
  );
  const ofBroker = broker.settings(broker.port);
  const observer = stack.use(
    await startReturning({ name: 'observer', program, env: { ...ofBroker, ...env } }),
  );
  const database = openDatabase({ url: postgres.url, schema: 'observer', connectionsMax: 2 });
  stack.defer(() => database.stop());
  const kept = stack.move();
  return {
    broker,
    keys,
    taken,
    async kill(part) {
      if (part === 'observer') observer.kill();
      else if (part === 'receiver') receiver.kill();
      else await (await broker.takeAway('killed'))();
    },
    status: () => readPositions(database),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function destinationsAt(receiverUrl: string) {
  const createdAt = new Date(0).toISOString();
  return destinations.map(({ name, settings }) => {
    const config = { url: `${receiverUrl}/${name}` };
    return { id: name, accountId, workspaceId, config, settings, createdAt };
  });
}
