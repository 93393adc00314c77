import { renameSync, statSync } from 'node:fs';
import { destination as pinoDestination } from 'pino';

export type Destination = ReturnType<typeof pinoDestination>;

/** One write per some lines: a write costs more than the bytes in it. */
const bufferedBytesMax = 4 * 1024;
const flushMs = 100;
/** Lines that a full disk does not take wait for it; more are dropped. */
const waitingBytesMax = 1024 * 1024;
const fileBytesMaxDefault = 32 * 1024 * 1024;
const stdout = 1;

const openDestinations = new Set<Destination>();
process.on('exit', () => {
  for (const destination of openDestinations) destination.flush();
});

/**
 * Opens stdout, or a file that only its owner may read. Lines go out after 100 ms or with 4 KiB, and a failed
 * write never ends the process. A file that has grown to its bound becomes `<file>.1`, in place of the one before.
 */
export function openDestination(file: string | undefined, fileBytesMax?: number): Destination {
  const destination = pinoDestination({
    dest: file ?? stdout,
    sync: true,
    minLength: bufferedBytesMax,
    maxLength: waitingBytesMax,
    periodicFlush: flushMs,
    mode: 0o600,
  });
  // Without a listener an error ends the process.
  destination.on('error', () => undefined);
  if (file !== undefined) bound(destination, file, fileBytesMax);
  openDestinations.add(destination);
  return destination;
}

function bound(destination: Destination, file: string, bytesMax = fileBytesMaxDefault): void {
  let bytes = statSync(file).size;
  const putAside = () => {
    bytes = 0;
    try {
      renameSync(file, `${file}.1`);
      destination.reopen();
    } catch {
      // The file goes on growing: a line is worth more than the bound.
    }
  };
  if (bytes >= bytesMax) putAside();
  destination.on('write', (written: number) => {
    bytes += written;
    if (bytes >= bytesMax) putAside();
  });
}
