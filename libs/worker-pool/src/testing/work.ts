/** Work for the specs of the pool. */
interface Given {
  readonly answer?: unknown;
  /** Keeps the thread until a place in the memory is set: 0 waits. */
  readonly gate?: Int32Array;
  /** Counts the starts. */
  readonly starts?: Int32Array;
  readonly spins?: boolean;
  readonly fails?: boolean;
  readonly fills?: boolean;
  /** Fills buffers, which are no part of the heap. */
  readonly buffers?: boolean;
}

export async function work(given: Given): Promise<unknown> {
  if (given.starts) Atomics.add(given.starts, 0, 1);
  if (given.fails) throw new Error('it fails');
  if (given.fills)
    for (const all: unknown[] = []; ;)
      all.push(Array.from({ length: 1_000_000 }, (_, at) => at / 3));
  // Each buffer takes some processor time, as the output of a decoder does.
  if (given.buffers)
    for (const all: Uint8Array[] = []; all.length < buffersMax;)
      all.push(new Uint8Array(bufferBytes).fill(all.length));
  // A thread that spins needs the processor, as a scan does.
  if (given.spins) while (Atomics.load(given.gate ?? never, 0) === 0);
  else if (given.gate) Atomics.wait(given.gate, 0, 0);
  return given.answer;
}

/** 4 GB, of which a pool stops a part. */
const bufferBytes = 1_000_000;
const buffersMax = 4_000;

const never = new Int32Array(1);
