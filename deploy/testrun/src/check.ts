import { performance } from 'node:perf_hooks';
import { runCommand } from './command.ts';
import type { Tally } from './tally.ts';

/** A static check counts as one test: passed when the tool is content. */
export async function runCheck(
  name: string,
  command: string,
  args: readonly string[],
): Promise<Tally> {
  const startedMs = performance.now();
  const code = await runCommand(command, args).catch((error: unknown) => {
    console.error(String(error));
    return 1;
  });
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'passed' : 'FAILED'}  ${name} (${command}, ${seconds} s)`);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}
