import type { Command as Words } from 'commander';
import { knownApiCommands } from './api-commands/known.ts';
import type { Surroundings } from './installation.ts';
import { tableOf } from './projections/table.ts';

interface OperationsCommand {
  readonly json: boolean;
}

/** `operations`. */
export function addOperationsCommand(
  program: Words,
  found: (command: OperationsCommand) => void,
): void {
  program
    .command('operations')
    .description('which command does which operation of the API')
    .option('--json', 'print JSON')
    .action(({ json = false }: Partial<OperationsCommand>) => found({ json }));
}

/** Shows which command does which operation of the API. Returns the exit code. */
export function showOperations(
  { json }: OperationsCommand,
  { output }: Pick<Surroundings, 'output'>,
): number {
  const operations = knownApiCommands.map(({ method, path, words }) => ({
    method,
    path,
    command: `sluice ${words}`,
  }));
  if (json) output.line(JSON.stringify(operations, null, 2));
  else
    for (const line of tableOf(
      [
        ['METHOD', 'PATH', 'COMMAND'],
        ...operations.map(({ method, path, command }) => [method, path, command]),
      ],
      output.columns,
    ))
      output.line(line);
  return 0;
}
