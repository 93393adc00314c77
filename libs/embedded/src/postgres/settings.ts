import { totalmem } from 'node:os';

const mebibyte = 1_048_576;
/** The default of PostgreSQL. */
const buffersMin = 128 * mebibyte;
const buffersMax = 512 * mebibyte;
const shareOfMemory = 1 / 8;

/**
 * After each checkpoint the first change of a page logs the page whole: fewer checkpoints, less log. To compile a
 * statement takes longer than to run those of Sluice.
 */
const forSteadyWrites = ['checkpoint_timeout=10min', 'max_wal_size=2GB', 'jit=off'];
/** A statement without a time locks each partition of the facts. */
const forPartitions = ['max_locks_per_transaction=128'];
/** Pages are in the memory of the system mostly. To ask another process for them takes longer than to copy them. */
const forReads = ['io_method=sync'];
/** A power cut may lose everything. */
const forTests = ['fsync=off', 'full_page_writes=off'];

/** Returns the settings of a server, as `name=value`. */
export function serverSettings(durability: 'strict' | 'none'): readonly string[] {
  return [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    `shared_buffers=${buffersOf(usableMemory()) / mebibyte}MB`,
    ...forSteadyWrites,
    ...forPartitions,
    ...forReads,
    ...(durability === 'none' ? forTests : []),
  ];
}

/**
 * Returns the bytes of pages that PostgreSQL keeps in its own memory. It keeps none of a scan of a table with more
 * than a quarter of them: sums of a month of ten million facts a year have 120 MB. It takes this memory as it uses
 * it.
 */
export function buffersOf(memoryBytes: number): number {
  const share = Math.floor((memoryBytes * shareOfMemory) / mebibyte) * mebibyte;
  return Math.min(buffersMax, Math.max(buffersMin, share));
}

/** Returns the memory of the machine, or less where a control group bounds this process. */
function usableMemory(): number {
  const bound = process.constrainedMemory();
  return bound > 0 ? Math.min(bound, totalmem()) : totalmem();
}
