import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endStream, usageStream } from '@sluice/bus';
import { startWatchedProcess } from '@sluice/embedded';
import { type KeyManagement, localKeyManagement } from '@sluice/envelope';
import { destinationCalls } from '@sluice/observer/testing';
import { eventually } from '@sluice/patience';
import { DestinationUseServiceService } from '@sluice/protos/sluice/workspace/v1/destination_use';
import { openDatabase } from '@sluice/read-model';
import { implement, startRpcServer } from '@sluice/rpc';
import { setTimeout as delay } from 'node:timers/promises';
import { startCommanded } from '../harness/commanded-process.ts';
import { cpuMsOf } from '../harness/machine/process-figures.ts';
import type { Measure } from '../measure.ts';
import { percentile } from '../percentile.ts';
import { withScratch } from '../scratch.ts';
import { startStores } from '../stores.ts';
import { accountId, startLoad, workspaceId } from './load.ts';
import type { ReceiverFunctions } from './receiver-main.ts';

export interface DestinationsBenchOptions {
  /** The bench removes its files again. */
  readonly folder: string;
  readonly seconds: number;
  readonly perSecond: number;
  /** Measures once without contents of generations, once with them, or both. */
  readonly contents: readonly ('none' | 'sealed')[];
  readonly onProgress: (line: string) => void;
}

const token = 'token-of-the-bench';
const warmUpMs = 5_000;
const root = fileURLToPath(new URL('../../../../', import.meta.url));
const observerMain = join(root, 'services', 'observer', 'src', 'main.ts');
const destinations = [
  { id: 'private', type: 'webhook', path: '/private', settings: { privacyMode: true } },
  { id: 'webhook', type: 'webhook', path: '/webhook', settings: {} },
  { id: 'otel', type: 'otel-collector', path: '', settings: {} },
] as const;

/**
 * Measures how soon three destinations have generations that come at a rate, over the broker with its disk, PostgreSQL
 * with its disk, and the observer as a process of its own: without contents, and with them.
 */
export async function destinationsBench(
  options: DestinationsBenchOptions,
): Promise<readonly Measure[]> {
  const measures: Measure[] = [];
  for (const contents of options.contents)
    measures.push(...(await benchOnce(options, contents === 'sealed')));
  return measures;
}

async function benchOnce(
  { folder, seconds, perSecond, onProgress }: DestinationsBenchOptions,
  hasContents: boolean,
): Promise<readonly Measure[]> {
  return await withScratch(folder, 'destinations', async (scratch) => {
    await using stack = new AsyncDisposableStack();
    const { bus, keys, receiver, observerPid } = await startAll(scratch, stack, onProgress);
    const load = startLoad({ bus, keys, perSecond, hasContents });
    await delay(warmUpMs);
    const sinceMs = Date.now();
    const cpuBeforeMs = await cpuMsOf([observerPid]);
    await delay(seconds * 1_000);
    const cpuMs = (await cpuMsOf([observerPid])) - cpuBeforeMs;
    const measuredMs = Date.now() - sinceMs;
    const published = await load.stop();
    onProgress(`${published} generations are published`);
    await eventually(
      async () => {
        const count = await receiver.count();
        if (count < published * destinations.length) throw new Error(`${count} deliveries came`);
      },
      { everyMs: 100 },
    );
    const { generations, repeated, lagsMs } = await receiver.came(sinceMs);
    const what = hasContents ? 'with contents' : 'without contents';
    const rate = Math.round((published * 1_000) / (measuredMs + warmUpMs));
    return [
      {
        name: `lag of three destinations, p99, ${what}`,
        value: percentile(lagsMs, 0.99),
        unit: 'ms',
        target: { kind: 'at most', value: 2_000 },
        note:
          `${rate} generations/s; p50 ${Math.round(percentile(lagsMs, 0.5))} ms, ` +
          `max ${Math.round(percentile(lagsMs, 1))} ms; ${generations} deliveries, ${repeated} repeated`,
      },
      {
        name: `processor of the observer, ${what}`,
        value: (cpuMs / measuredMs) * 100,
        unit: '% of one',
        target: { kind: 'at most', value: 100 },
      },
    ];
  });
}

async function startAll(
  scratch: string,
  stack: AsyncDisposableStack,
  onProgress: (line: string) => void,
) {
  const { postgres, nats, bus } = await startStores(scratch, stack, onProgress);
  for (const stream of [usageStream, endStream]) await bus.ensureStream(stream);
  const program = join(import.meta.dirname, 'receiver-main.ts');
  const functions = ['listen', 'count', 'came'] as const;
  const receiver = await startCommanded<ReceiverFunctions>('the receiver', program, functions);
  stack.defer(() => receiver.stop());
  const keyFile = join(scratch, 'envelope-keys');
  const keys: KeyManagement = await localKeyManagement(keyFile);
  const workspace = await startRpcServer({
    services: [workspaceOf(`http://127.0.0.1:${await receiver.listen()}`)],
    address: '127.0.0.1:0',
    token,
    onBug: (error) => onProgress(String(error)),
  });
  stack.defer(() => workspace.stop());
  const observer = await startWatchedProcess({
    name: 'observer',
    command: process.execPath,
    args: [...profiling(), observerMain],
    stdio: ['ignore', 'ignore', 'inherit'],
    stopSignal: 'SIGTERM',
    env: {
      SLUICE_NATS_URL: nats.url,
      SLUICE_NATS_TOKEN: nats.token,
      SLUICE_HOST: '127.0.0.1',
      SLUICE_ADMIN_PORT: '0',
      SLUICE_RPC_ADDRESS: '127.0.0.1:0',
      SLUICE_RPC_TOKEN: token,
      SLUICE_WORKSPACE_ADDRESS: workspace.address,
      SLUICE_POSTGRES_URL: postgres.url,
      SLUICE_ENVELOPE_KEY_FILE: keyFile,
      SLUICE_EGRESS_ALLOW: '127.0.0.1',
    },
  });
  stack.defer(() => observer.stop());
  const database = openDatabase({ url: postgres.url, schema: 'observer', connectionsMax: 1 });
  stack.defer(() => database.stop());
  await eventually(async () => {
    const text = 'SELECT count(*) AS count FROM deliveries';
    const [row] = await database.query<{ count: bigint }>({ text, values: [] });
    if (Number(row?.count) < destinations.length) throw new Error('destinations are not known');
  });
  return { bus, keys, receiver, observerPid: observer.pid };
}

/** `PROFILE=folder` writes a profile of the observer there. */
function profiling(): readonly string[] {
  const folder = process.env['PROFILE'];
  return folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : [];
}

function workspaceOf(receiverUrl: string) {
  const createdAt = new Date(0).toISOString();
  const listed = destinations.map(({ id, type, path, settings }) => {
    const url = `${receiverUrl}${path}`;
    const config = type === 'webhook' ? { url } : { endpoint: url };
    return { id, type, accountId, workspaceId, config, settings, createdAt };
  });
  return implement(
    DestinationUseServiceService,
    destinationCalls(() => listed),
  );
}
