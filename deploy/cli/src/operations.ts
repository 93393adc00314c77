import type { Output } from './output.ts';
import { tableOf } from './projections/table.ts';
import { resources } from './resources/resources.ts';

/** Which command does which operation of the API. */
export interface OperationOfCommand {
  readonly method: string;
  /** The path in the API's description, except for the names of its parameters. */
  readonly path: string;
  readonly command: string;
}

export function operationsOfCommands(): readonly OperationOfCommand[] {
  return resources.flatMap(({ words, operations }) =>
    operations.map(({ method, path, name }) => ({
      method,
      path: path.startsWith('/../') ? path.slice(3) : `/v1${path.replaceAll('{+', '{')}`,
      command: `sluice ${words} ${name}`,
    })),
  );
}

/** Shows them. Returns the exit code. */
export function showOperations({ json }: { readonly json: boolean }, output: Output): number {
  const operations = operationsOfCommands();
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
