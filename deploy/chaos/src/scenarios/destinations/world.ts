import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, startPostgres } from '@sluice/embedded';
import { type KeyManagement, localKeyManagement } from '@sluice/envelope';
import { destinationCalls } from '@sluice/observer/testing';
import { DestinationUseServiceService } from '@sluice/protos/sluice/workspace/v1/destination_use';
import { openDatabase } from '@sluice/read-model';
import { implement, startRpcServer } from '@sluice/rpc';
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

const token = 'token-of-the-chaos';
const root = fileURLToPath(new URL('../../../../../', import.meta.url));
const observerMain = join(root, 'services', 'observer', 'src', 'main.ts');
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
  const workspace = await startRpcServer({
    services: [workspaceOf(`http://127.0.0.1:${port}`)],
    address: '127.0.0.1:0',
    token,
    onBug: (error) => {
      throw error;
    },
  });
  stack.defer(() => workspace.stop());
  const receiver = stack.use(
    await startReturning({
      name: 'receiver',
      program: receiverMain,
      args: [taken, port],
      env: {},
    }),
  );
  const observer = stack.use(
    await startReturning({
      name: 'observer',
      program: observerMain,
      env: {
        ...broker.settings(broker.port),
        SLUICE_HOST: '127.0.0.1',
        SLUICE_ADMIN_PORT: '0',
        SLUICE_RPC_ADDRESS: '127.0.0.1:0',
        SLUICE_RPC_TOKEN: token,
        SLUICE_WORKSPACE_ADDRESS: workspace.address,
        SLUICE_POSTGRES_URL: postgres.url,
        SLUICE_ENVELOPE_KEY_FILE: keyFile,
        SLUICE_EGRESS_ALLOW: '127.0.0.1',
      },
    }),
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

/** Returns the part of the workspace service that the observer asks. */
function workspaceOf(receiverUrl: string) {
  const createdAt = new Date(0).toISOString();
  const listed = destinations.map(({ name, settings }) => ({
    id: name,
    accountId,
    workspaceId,
    config: { url: `${receiverUrl}/${name}` },
    settings,
    createdAt,
  }));
  return implement(
    DestinationUseServiceService,
    destinationCalls(() => listed),
  );
}
