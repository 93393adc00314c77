import { deepEqual, equal, ok } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, test } from 'vitest';
import { openSpool } from './spool.ts';
import { scratchDirectory } from './testing/scratch-directory.ts';

const script = fileURLToPath(new URL('testing/appending-process.ts', import.meta.url));
/** Fills more than a segment. */
const acknowledgementsPerRun = 1_000;
const runs = 3;

describe('a process that is killed while it appends', () => {
  test.each([
    ['acknowledged', 8],
    ['written', 8],
    ['released', 8],
  ] as const)('leaves every record that was %s, time after time', async (told, writers) => {
    const directory = await scratchDirectory();
    let acknowledged = 0n;
    for (let run = 0; run < runs; run++) {
      acknowledged = await appendThenKill(directory, [`${writers}`, told]);
      const spool = await openSpool({
        directory,
        segmentBytes: 65_536,
        onFatal: (error) => {
          throw error;
        },
      });
      ok(spool.lastSequence() >= acknowledged, `${acknowledged} was ${told}`);
      const sequences: bigint[] = [];
      const first = spool.firstSequence();
      equal(told === 'released', first > 1n);
      for await (const { sequence, payload } of spool.read(1n)) {
        sequences.push(sequence);
        ok(Buffer.from(payload).toString().startsWith('record '));
      }
      equal(sequences.length, Number(spool.lastSequence() - first) + 1);
      deepEqual(sequences.at(-1), spool.lastSequence());
      await spool.stop();
    }
    ok(acknowledged >= BigInt(runs * acknowledgementsPerRun));
  });
});

/** The highest sequence of all that the process told, none missing below it. */
async function appendThenKill(directory: string, how: readonly string[]): Promise<bigint> {
  const child = spawn(process.execPath, [script, directory, ...how], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let highest = 0n;
  let count = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const sequence = BigInt(line);
    if (sequence > highest) highest = sequence;
    if (++count === acknowledgementsPerRun) child.kill('SIGKILL');
  }
  await exited;
  ok(count >= acknowledgementsPerRun, `it told ${count} records only`);
  return highest;
}
