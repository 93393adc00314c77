import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Dial } from '../egress/egress.ts';
import { createEgress } from '../egress/egress.ts';
import type { FoundEngine } from '../engine/engine.ts';
import { type BubblewrapOptions, findBubblewrap } from '../engines/bubblewrap/bubblewrap.ts';
import { smallLimits } from './small-limits.ts';
import { locateBwrap } from '../engines/bubblewrap/locate-bwrap.ts';

const nowhere: Dial = async ({ host }) => {
  throw new Error(`${host} is not reached in tests`);
};

/** Returns an engine with small limits, or the reason why it does not work on this machine. */
export async function bubblewrapHere(
  dial: Dial = nowhere,
  rest: Pick<BubblewrapOptions, 'controlGroupsFolder'> = {},
): Promise<FoundEngine> {
  return findBubblewrap({
    binary: await locateBwrap(process.env, undefined),
    directory: await mkdtemp(join(tmpdir(), 'sluice-sandbox-')),
    rootDirectory: '/',
    limits: smallLimits,
    egress: createEgress(dial),
    ...rest,
  });
}
