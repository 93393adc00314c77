import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Dial } from '../egress/egress.ts';
import { createEgress } from '../egress/egress.ts';
import type { FoundEngine } from '../engine/engine.ts';
import type { BoxLimits } from '../engine/limits.ts';
import { findBubblewrap } from '../engines/bubblewrap/bubblewrap.ts';
import { locateBwrap } from '../engines/bubblewrap/locate-bwrap.ts';

const mebibyte = 1_048_576;

/** Limits that a bomb reaches at once, far below what this machine has. */
export const smallLimits: BoxLimits = {
  memoryBytes: 128 * mebibyte,
  homeBytes: 16 * mebibyte,
  filesMax: 2_000,
  processesMax: 40,
  cpus: 1,
};

const nowhere: Dial = async ({ host }) => {
  throw new Error(`${host} is not reached in tests`);
};

/** Returns an engine with small limits, or the reason why it does not work on this machine. */
export async function bubblewrapHere(dial: Dial = nowhere): Promise<FoundEngine> {
  return findBubblewrap({
    binary: await locateBwrap(process.env, undefined),
    directory: await mkdtemp(join(tmpdir(), 'sluice-sandbox-')),
    rootDirectory: '/',
    limits: smallLimits,
    egress: createEgress(dial),
  });
}
