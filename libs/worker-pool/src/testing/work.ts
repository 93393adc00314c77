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
}

export async function work(given: Given): Promise<unknown> {
  if (given.starts) Atomics.add(given.starts, 0, 1);
  if (given.fails) throw new Error('it fails');
  if (given.fills)
    for (const all: unknown[] = []; ;)
      all.push(Array.from({ length: 1_000_000 }, (_, at) => at / 3));
  // A thread that spins needs the processor, as a scan does.
  if (given.spins) while (Atomics.load(given.gate ?? never, 0) === 0);
  else if (given.gate) Atomics.wait(given.gate, 0, 0);
  return given.answer;
}

const never = new Int32Array(1);
