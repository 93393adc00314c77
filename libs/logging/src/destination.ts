import { renameSync, statSync } from 'node:fs';
import { destination as pinoDestination } from 'pino';

/** Gathers lines on their way to stdout or to a file. */
export interface Destination {
  write(line: string): void;
  /** Writes the gathered lines now. */
  flush(): void;
}

type Output = ReturnType<typeof pinoDestination>;

/** One write per some lines: a write costs more than the bytes in it. */
const gatheredCharactersMax = 4 * 1024;
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
  const output = pinoDestination({
    dest: file ?? stdout,
    sync: true,
    maxLength: waitingBytesMax,
    mode: 0o600,
  });
  // Without a listener an error ends the process.
  output.on('error', () => undefined);
  if (file !== undefined) bound(output, file, fileBytesMax);
  const destination = gathering(output);
  setInterval(() => destination.flush(), flushMs).unref();
  openDestinations.add(destination);
  return destination;
}

/** Hands lines on together. The output would copy all lines that wait for each further one. */
function gathering(output: Output): Destination {
  let lines: string[] = [];
  let characters = 0;
  const flush = () => {
    if (lines.length === 0) return;
    const text = lines.join('');
    lines = [];
    characters = 0;
    output.write(text);
  };
  return {
    write(line) {
      lines.push(line);
      characters += line.length;
      if (characters >= gatheredCharactersMax) flush();
    },
    flush,
  };
}

function bound(output: Output, file: string, bytesMax = fileBytesMaxDefault): void {
  let bytes = statSync(file).size;
  const putAside = () => {
    bytes = 0;
    try {
      renameSync(file, `${file}.1`);
      output.reopen();
    } catch {
      // The file goes on growing: a line is worth more than the bound.
    }
  };
  if (bytes >= bytesMax) putAside();
  output.on('write', (written: number) => {
    bytes += written;
    if (bytes >= bytesMax) putAside();
  });
}
