import { type Asked, parseCommandLine } from './command-line.ts';
import { run } from './commands.ts';
import { explain } from './explain.ts';
import type { Surroundings } from './installation.ts';
import { WrongUsage } from './wrong-usage.ts';

export const exit = { error: 1, wrongUsage: 2, interrupted: 130 } as const;

/** Carries out what was typed, and prints it or why not. Returns the exit code. */
export async function perform(
  words: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const { output, signal } = surroundings;
  let command: Asked;
  try {
    command = parseCommandLine(words);
  } catch (error) {
    if (!(error instanceof WrongUsage)) throw error;
    output.problem(
      `${error.message}\nsluice --help lists the commands, and each of them takes --help.`,
    );
    return exit.wrongUsage;
  }
  if (command.name === 'help') {
    output.line(command.text);
    return 0;
  }
  try {
    return await run(command, surroundings);
  } catch (error) {
    if (signal.aborted) {
      const unchanged = command.name === 'projections' ? ': the live read model is as it was' : '';
      output.problem(`Interrupted${unchanged}.`);
      return exit.interrupted;
    }
    output.problem(explain(error));
    return exit.error;
  }
}
