import type { Instance } from '@sluice/acceptance/instance';
import { type Client, createClient } from '../management/client.ts';
import type { Measure } from '../measure.ts';
import { inParallel } from '../timings.ts';
import { heapBytesOf } from './heap.ts';

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
 * keys than its cache holds. Each request is answered with 400, so
 * that no upstream is called.
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
    const perKey: Measure = {
      name: 'heap per key that is known',
      value: (after - before) / few,
      unit: 'B',
      ...(warmUp === warmUpKeysMax ? { target: { kind: 'at most', value: bytesPerKeyMax } } : {}),
      note: `of ${count(few)} keys, with all else that any part keeps of them`,
    };
    if (secrets.length < manyKeys + remembersKeys) return [perKey];
    const many = await presentTo(manyKeys);
    const more = await presentTo(manyKeys + remembersKeys);
    const sizes = [many, more].map((bytes) => `${(bytes / mebibyte).toFixed(1)} MiB`);
    return [
      perKey,
      {
        name: `heap after ${count(manyKeys + remembersKeys)} keys, beside that after ${count(manyKeys)}`,
        value: more / many,
        unit: '×',
        target: { kind: 'at most', value: 1.05 },
        note: `${sizes.join(', then ')}: at most ${count(remembersKeys)} keys are remembered`,
      },
    ];
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
