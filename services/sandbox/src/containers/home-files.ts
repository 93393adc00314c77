import { Fault } from '@sluice/errors';
import type { Command, Ran } from '../engine/engine.ts';

export interface HomeFile {
  /** Relative to the home. */
  readonly path: string;
  readonly bytes: number;
  readonly changedAtMs: number;
}

export type RunCommand = (command: Command) => Promise<Ran>;

const filesMax = 1_000;
const listBytesMax = 1_048_576;
const timeoutMs = 30_000;

export const partBytesMax = 1_048_576;

/**
 * Reads and writes the home by commands in the container itself: a link in there leads nowhere else, whatever it
 * says.
 */
export function homeFiles(run: RunCommand) {
  const shell = (script: string, args: readonly string[], rest: Partial<Command> = {}) =>
    run({
      argv: ['/bin/bash', '-c', script, 'files', ...args],
      timeoutMs,
      outputBytesMax: listBytesMax,
      ...rest,
    });
  return {
    /** Returns the regular files, the latest first. */
    async list(): Promise<readonly HomeFile[]> {
      const ran = await shell(
        String.raw`find . -type f -printf '%T@ %s %P\0' 2>/dev/null | sort -z -r -n | head -z -n "$1"`,
        [String(filesMax)],
      );
      return ran.stdout
        .toString()
        .split('\0')
        .slice(0, -1)
        .map((entry) => {
          const [changedAt = '', bytes = '', ...path] = entry.split(' ');
          return {
            path: path.join(' '),
            bytes: Number(bytes),
            changedAtMs: Math.floor(Number(changedAt) * 1_000),
          };
        });
    },
    /** Returns a part of a regular file with the size of the whole. Throws not_found for anything else. */
    async read(path: string, offset: number, length: number) {
      const ran = await shell(
        String.raw`[ -f "$1" ] && stat -L -c '%s %Y' -- "$1" && tail -c +"$2" -- "$1" | head -c "$3"`,
        [`./${path}`, String(offset + 1), String(length)],
        { outputBytesMax: length + 64 },
      );
      const end = ran.stdout.indexOf('\n');
      if (ran.outcome.type !== 'exited' || end < 0) throw new Fault('not_found');
      const [size = 0, changedAt = 0] = ran.stdout
        .subarray(0, end)
        .toString()
        .split(' ')
        .map(Number);
      return { content: ran.stdout.subarray(end + 1), size, changedAtMs: changedAt * 1_000 };
    },
    /** Appends a part to a file; the part at 0 makes it anew. Throws invalid_request when it does not fit. */
    async write(name: string, offset: number, content: Uint8Array): Promise<void> {
      const script =
        offset === 0
          ? 'rm -rf -- "$1"; cat > "$1"'
          : '[ "$(stat -c %s -- "$1")" = "$2" ] && cat >> "$1"';
      const ran = await shell(script, [`./${name}`, String(offset)], { input: content });
      if (ran.outcome.type === 'exited' && ran.outcome.exitCode === 0) return;
      throw new Fault('invalid_request', {
        message: `${name} could not be written: ${ran.stderr.toString().split('\n')[0]}`,
      });
    },
  };
}
