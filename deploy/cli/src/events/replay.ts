import { replayUsage } from '@sluice/ledger/replay';
import { counted } from '../amounts.ts';
import type { Output } from '../output.ts';
import type { ReplayCommand } from './command.ts';

interface ReplayInstallation {
  readonly postgresUrl: string;
  readonly output: Output;
}

/** Prints a fact a line; how many there were is said beside. Returns the exit code. */
export async function replay(
  command: ReplayCommand,
  { postgresUrl, output }: ReplayInstallation,
): Promise<number> {
  const count = await replayUsage({
    postgresUrl,
    ...command,
    onFacts(facts) {
      for (const fact of facts) output.line(JSON.stringify(fact));
    },
  });
  output.problem(`Replayed ${counted(count, 'usage fact')}.`);
  return 0;
}
