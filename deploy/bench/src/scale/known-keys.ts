import { once } from 'node:events';
import type { Instance } from '@sluice/acceptance/instance';
import { type Client, createClient } from '../management/client.ts';
import { type Measure, measured } from '../measure.ts';
import { inParallel } from '../timings.ts';

/** All of them are remembered. */
const fewKeys = 48_000;
/** More than the gateway remembers; one bound more leaves as many remembered as there were. */
const manyKeys = 140_000;
const remembersKeys = 100_000;
/** After them the bounded caches of other parts, the event store's of what it read, are full. */
const warmUpKeysMax = 28_000;
const bytesPerKeyMax = 512;
const inFlight = 16;
const mebibyte = 1024 * 1024;

/**
 * Measures the heap that each known key takes in the gateway, and whether the heap stays bounded when there are more
 * keys than its cache holds. Each request is answered with 400, so that no upstream is called.
 */
export async function measureKnownKeys(
  instance: Instance,
  secrets: readonly string[],
): Promise<readonly Measure[]> {
  const client = createClient(instance.bootstrap.base_url, instance.bootstrap.management_key);
  const presentTo = async (to: number) => {
    await present(client, secrets.slice(presented, to));
    presented = Math.min(to, secrets.length);
    return await heapBytesOf(instance);
  };
  let presented = 0;
  try {
    const warmUp = Math.min(warmUpKeysMax, Math.ceil(secrets.length / 2));
    const before = await presentTo(warmUp);
    const few = Math.min(fewKeys, secrets.length) - warmUp;
    const after = await presentTo(fewKeys);
    const perKey = measured('heap per key that is known', (after - before) / few, 'B', {
      atMost: warmUp === warmUpKeysMax ? bytesPerKeyMax : undefined,
      note: `of ${count(few)} keys, with all else that any part keeps of them`,
    });
    if (secrets.length < manyKeys + remembersKeys) return [perKey];
    const many = await presentTo(manyKeys);
    const more = await presentTo(manyKeys + remembersKeys);
    const sizes = [many, more].map((bytes) => `${(bytes / mebibyte).toFixed(1)} MiB`);
    const name = `heap after ${count(manyKeys + remembersKeys)} keys, beside that after ${count(manyKeys)}`;
    const note = `${sizes.join(', then ')}: at most ${count(remembersKeys)} keys are remembered`;
    return [perKey, measured(name, more / many, '×', { atMost: 1.05, note })];
  } finally {
    await client.stop();
  }
}

async function present(client: Client, secrets: readonly string[]): Promise<void> {
  await inParallel(secrets.length, inFlight, async (index) => {
    const { status, text } = await client.ask('GET', '/models/user?q=x', undefined, secrets[index]);
    if (status !== 400)
      throw new Error(`a request for what is not there was answered ${status}: ${text}`);
  });
}

const count = (keys: number) => keys.toLocaleString('en');

/** The setting with which a product lets its heap be looked at; nobody looks while times are taken. */
export const inspectable = { NODE_OPTIONS: '--inspect=127.0.0.1:0' } as const;

const answerMsMax = 60_000;

/** Bytes in use on the heap of an inspectable instance, right after garbage was collected. */
async function heapBytesOf(instance: Instance): Promise<number> {
  const [, url] = /Debugger listening on (ws:\S+)/.exec(instance.output()) ?? [];
  if (url === undefined) throw new Error('The instance cannot be looked into');
  const socket = new WebSocket(url);
  const signal = AbortSignal.timeout(answerMsMax);
  let last = 0;
  const call = async (method: string): Promise<unknown> => {
    last += 1;
    const id = last;
    socket.send(JSON.stringify({ id, method }));
    for (;;) {
      const [{ data }] = (await once(socket, 'message', { signal })) as [{ data: string }];
      const answer = JSON.parse(data) as { readonly id?: number; readonly result?: unknown };
      if (answer.id === id) return answer.result;
    }
  };
  try {
    await once(socket, 'open', { signal });
    await call('HeapProfiler.enable');
    await call('HeapProfiler.collectGarbage');
    await call('HeapProfiler.collectGarbage');
    const { usedSize } = (await call('Runtime.getHeapUsage')) as { readonly usedSize: number };
    await call('HeapProfiler.disable');
    return usedSize;
  } finally {
    socket.close();
  }
}
