import { deepEqual, ok } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, test } from 'vitest';

const module = join(import.meta.dirname, 'background-threads.ts');

/** The priorities of V8's threads in a process of its own, some looks later; and of its main thread. */
async function prioritiesWith(options: object): Promise<{ workers: number[]; main: number }> {
  const script = `
    import { readdirSync, readFileSync } from 'node:fs';
    import { getPriority } from 'node:os';
    import { backgroundThreadsGiveWay } from ${JSON.stringify(module)};
    backgroundThreadsGiveWay(${JSON.stringify(options)});
    setTimeout(() => {
      const workers = readdirSync('/proc/self/task')
        .filter((task) => readFileSync('/proc/self/task/' + task + '/comm', 'utf8').trim() === 'V8Worker')
        .map((task) => getPriority(Number(task)));
      console.log(JSON.stringify({ workers, main: getPriority(process.pid) }));
    }, 1_500);`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    script,
  ]);
  return JSON.parse(stdout);
}

describe.skipIf(process.platform !== 'linux')('the threads of the collector', () => {
  test('give way to the main one where they share a processor', async () => {
    const { workers, main } = await prioritiesWith({ processors: 1, afterCpuMs: 0 });
    ok(main < 15);
    ok(workers.length > 0, 'V8 names its threads otherwise now');
    deepEqual(new Set(workers), new Set([15]));
  });

  test.for([
    { processors: 1, afterCpuMs: 600_000 },
    { processors: 3, afterCpuMs: 0 },
  ])(
    'do not before all is compiled, nor where there are processors for all: %o',
    async (options) => {
      const { workers, main } = await prioritiesWith(options);
      deepEqual(new Set(workers), new Set([main]));
    },
  );
});
