import { knownApiCommands } from './api-commands/known.ts';
import type { Output } from './output.ts';
import { tableOf } from './projections/table.ts';

/** Shows which command does which operation of the API. Returns the exit code. */
export function showOperations({ json }: { readonly json: boolean }, output: Output): number {
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
