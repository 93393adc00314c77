import { renameSync, statSync } from 'node:fs';
import sonic, { type SonicBoom } from 'sonic-boom';

export interface LogOutput {
  /** A line with its end. It goes out within 100 ms, or when 32 KiB are there. */
  write(line: string): void;
  /** What was written goes out now. */
  flush(): void;
}

const waitingBytesMax = 1024 * 1024;
/**
 * A write costs more than what it writes: lines go out together when they are so long or so old. They
 * still fit into a pipe that is half full.
 */
const gatheredCharactersMax = 32 * 1024;
const gatherMs = 100;
const fileBytesMaxDefault = 32 * 1024 * 1024;
const stdout = 1;

const writtenAtExit = new Set<LogOutput>();
process.on('exit', () => {
  for (const output of writtenAtExit) output.flush();
});

/**
 * Stdout, or the end of a file that only its owner may read. It never fails: lines that a full disk
 * does not take wait for it, up to 1 MiB, and beyond that are dropped. A file that has grown to its
 * bound is put aside as `<file>.1`, in place of the one before.
 */
export function logOutput(file: string | undefined, fileBytesMax?: number): LogOutput {
  const sink = new sonic.SonicBoom({
    dest: file ?? stdout,
    sync: true,
    // Lines are gathered here: it would look at all that it has gathered again for each.
    minLength: 1,
    mode: 0o600,
    maxLength: waitingBytesMax,
  });
  // Without a listener it would end the process.
  sink.on('error', () => undefined);
  if (file !== undefined) bound(sink, file, fileBytesMax);
  let gathered = '';
  const flush = () => {
    const lines = gathered;
    gathered = '';
    if (lines !== '') sink.write(lines);
    // Nothing new: what the disk did not take the last time.
    else sink.flush();
  };
  setInterval(flush, gatherMs).unref();
  const output: LogOutput = {
    write(line) {
      gathered += line;
      if (gathered.length >= gatheredCharactersMax) flush();
    },
    flush,
  };
  writtenAtExit.add(output);
  return output;
}

function bound(sink: SonicBoom, file: string, bytesMax = fileBytesMaxDefault): void {
  let bytes = statSync(file).size;
  const putAside = () => {
    bytes = 0;
    try {
      renameSync(file, `${file}.1`);
      sink.reopen();
    } catch {
      // It goes on growing then: a line is worth more than the bound.
    }
  };
  if (bytes >= bytesMax) putAside();
  sink.on('write', (written: number) => {
    bytes += written;
    if (bytes >= bytesMax) putAside();
  });
}
