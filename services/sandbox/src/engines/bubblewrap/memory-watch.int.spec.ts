import { deepEqual, equal, match } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { bubblewrapHere } from '../../testing/engines-here.ts';

const found = await bubblewrapHere(undefined, { controlGroupsFolder: '/none' });
const reason = 'missing' in found ? ` (not here: ${found.missing})` : '';

describe.skipIf(reason !== '')(`a machine without control groups${reason}`, () => {
  test('has watched memory, and bounded processes', async () => {
    if ('missing' in found) return;
    match(found.description, /watched memory/);
    const box = await found.open({ id: 'one', network: { type: 'disabled' } });
    const run = async (command: string) => {
      const argv = ['/bin/bash', '-c', command] as const;
      return await box.run({ argv, timeoutMs: 60_000, outputBytesMax: 1_000 });
    };
    const grow = 'perl -e \'my @all; push @all, "x" x 1048576 for 1..100000\'';
    const several = await run(`for i in 1 2 3 4 5 6 7 8; do ${grow} & done; wait; false`);
    deepEqual(several.outcome, {
      type: 'killed',
      reason: 'it used more than 134217728 bytes of memory',
    });
    match((await run('bomb() { bomb | bomb & }; bomb; sleep 1')).stderr.toString(), /unavailable/);
    equal((await run('echo well')).stdout.toString(), 'well\n');
    await found.stop();
  });
});
