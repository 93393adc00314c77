import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endStream, usageStream } from '@sluice/bus';
import { startWatchedProcess } from '@sluice/embedded';
import { type KeyManagement, localKeyManagement } from '@sluice/envelope';
import { observerProcess } from '@sluice/observer/testing/processes';
import { eventually } from '@sluice/patience';
import { openDatabase } from '@sluice/read-model';
import { cpuMsOf } from '../harness/machine/process-figures.ts';
import { type Measure, measured } from '../measure.ts';
import { percentile } from '../percentile.ts';
import { showProgress } from '../program.ts';
import { withScratch } from '../scratch.ts';
import { startStores } from '../stores.ts';
import { accountId, startLoad, workspaceId } from './load.ts';
import { startReceiver } from './receiver.ts';

export interface DestinationsBenchOptions {
  readonly seconds: number;
  readonly perSecond: number;
  /** Measures once without contents of generations, once with them, or both. */
  readonly contents: readonly ('none' | 'sealed')[];
}

const warmUpMs = 5_000;
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
  { seconds, perSecond }: DestinationsBenchOptions,
  hasContents: boolean,
): Promise<readonly Measure[]> {
  return await withScratch('destinations', async (scratch) => {
    await using stack = new AsyncDisposableStack();
    const { bus, keys, receiver, observerPid } = await startAll(scratch, stack);
    const load = startLoad({ bus, keys, perSecond, hasContents });
    await delay(warmUpMs);
    const sinceMs = Date.now();
    const cpuBeforeMs = await cpuMsOf([observerPid]);
    await delay(seconds * 1_000);
    const cpuMs = (await cpuMsOf([observerPid])) - cpuBeforeMs;
    const measuredMs = Date.now() - sinceMs;
    const published = await load.stop();
    showProgress(`${published} generations are published`);
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
    const at = (share: number) => percentile(lagsMs, share);
    return [
      measured(`lag of three destinations, p99, ${what}`, at(0.99), 'ms', {
        atMost: 2_000,
        note:
          `${rate} generations/s; p50 ${Math.round(at(0.5))} ms, max ${Math.round(at(1))} ms; ` +
          `${generations} deliveries, ${repeated} repeated`,
      }),
      measured(`processor of the observer, ${what}`, (cpuMs / measuredMs) * 100, '% of one', {
        atMost: 100,
      }),
    ];
  });
}

async function startAll(scratch: string, stack: AsyncDisposableStack) {
  const { postgres, nats, bus } = await startStores(scratch, stack);
  for (const stream of [usageStream, endStream]) await bus.ensureStream(stream);
  const receiver = await startReceiver();
  stack.defer(() => receiver.stop());
  const keyFile = join(scratch, 'envelope-keys');
  const keys: KeyManagement = await localKeyManagement(keyFile);
  const places = { postgresUrl: postgres.url, keyFile };
  const { program, env } = stack.use(await observerProcess(listedAt(receiver.url), places));
  const observer = await startWatchedProcess({
    name: 'observer',
    command: process.execPath,
    args: [...profiling(), program],
    stdio: ['ignore', 'ignore', 'inherit'],
    stopSignal: 'SIGTERM',
    env: { ...env, SLUICE_NATS_URL: nats.url, SLUICE_NATS_TOKEN: nats.token },
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

function listedAt(receiverUrl: string) {
  const createdAt = new Date(0).toISOString();
  return destinations.map(({ id, type, path, settings }) => {
    const url = `${receiverUrl}${path}`;
    const config = type === 'webhook' ? { url } : { endpoint: url };
    return { id, type, accountId, workspaceId, config, settings, createdAt };
  });
}
