import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEgress, type Dial } from '../egress/egress.ts';
import type { FoundEngine } from '../engine/engine.ts';
import { type BubblewrapOptions, findBubblewrap } from '../engines/bubblewrap/bubblewrap.ts';
import { findGvisor } from '../engines/gvisor/gvisor.ts';
import { locateProgram } from '../host/locate-program.ts';
import { smallLimits } from './small-limits.ts';

const nowhere: Dial = async ({ host }) => {
  throw new Error(`${host} is not reached in tests`);
};

async function optionsOf(dial: Dial) {
  return {
    directory: await mkdtemp(join(tmpdir(), 'sluice-sandbox-')),
    rootDirectory: '/',
    limits: smallLimits,
    egress: createEgress(dial),
  };
}

/** Returns an engine with small limits, or the reason why it does not work on this machine. */
export async function bubblewrapHere(
  dial: Dial = nowhere,
  rest: Pick<BubblewrapOptions, 'controlGroupsFolder'> = {},
): Promise<FoundEngine> {
  const named = process.env['BWRAP'];
  const binary = await locateProgram(process.env, { name: 'bwrap', folder: 'bubblewrap', named });
  return findBubblewrap({ binary, ...(await optionsOf(dial)), ...rest });
}

/** Returns gVisor with small limits, or the reason why it does not work on this machine. */
export async function gvisorHere(dial: Dial = nowhere): Promise<FoundEngine> {
  const named = process.env['RUNSC'];
  const binary = await locateProgram(process.env, { name: 'runsc', folder: 'gvisor', named });
  return findGvisor({ binary, ...(await optionsOf(dial)) });
}
