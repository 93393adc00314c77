import { execFile } from 'node:child_process';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

/** An ext4 file system in a file, whose power can be cut. Its owner alone sees it mounted. */
export interface LoopDisk {
  /** The mount point. */
  readonly path: string;
  mount(): Promise<void>;
  /** Stops all writes to the disk. Data that was not synced before is lost. */
  cutPower(): Promise<void>;
  /** Does nothing when it is not mounted. */
  unmount(): Promise<void>;
}

const run = promisify(execFile);
const imageBytes = 4 * 1024 ** 3;
const unmountTimeoutMs = 10_000;
const pollMs = 50;

/**
 * FS_IOC_SHUTDOWN with the flag NOLOGFLUSH: not even the journal is written any more. Node.js has no
 * ioctl, Perl is part of every Debian.
 */
const shutDown = [
  'sysopen(my $directory, $ARGV[0], 0) or die "open: $!\\n";',
  'my $flags = pack("L", 2);',
  'ioctl($directory, 0x8004587D, $flags) or die "ioctl: $!\\n";',
].join(' ');

/** Makes the file system in `folder`; it takes only the room that is written to. */
export async function makeLoopDisk(folder: string): Promise<LoopDisk> {
  const image = join(folder, 'disk.img');
  const path = join(folder, 'disk');
  await mkdir(path);
  const file = await open(image, 'wx', 0o600);
  await file.truncate(imageBytes);
  await file.close();
  await run('mkfs.ext4', ['-q', image]);
  let mounted = false;
  return {
    path,
    async mount() {
      await run('mount', ['-o', 'loop', image, path]);
      mounted = true;
    },
    async cutPower() {
      await run('perl', ['-e', shutDown, path]);
    },
    async unmount() {
      const deadlineMs = performance.now() + unmountTimeoutMs;
      while (mounted)
        try {
          await run('umount', [path]);
          mounted = false;
        } catch (error) {
          // A process that was killed may still hold a file for a moment.
          if (performance.now() > deadlineMs) throw error;
          await delay(pollMs);
        }
    },
  };
}
