import type { Command as Words } from 'commander';
import { groupOf } from '../words.ts';

/** A content goes to a file of the workspace, or comes from one. */
export type FilesCommand =
  | {
      readonly name: 'upload';
      readonly path: string;
      /** The name of the path if undefined. */
      readonly filename: string | undefined;
      readonly json: boolean;
    }
  | { readonly name: 'download'; readonly id: string; readonly output: string };

/** Adds the commands that send or receive a content. The others come from the API's description. */
export function addFilesCommands(program: Words, found: (command: FilesCommand) => void): void {
  const files = groupOf(program, 'files');
  files
    .command('upload')
    .description('Upload a file to the workspace')
    .argument('<path>', 'the file')
    .option('--name <text>', 'its name in the workspace; that of the path when it is left out')
    .option('--json', 'Print JSON.')
    .action((path: string, { name, json = false }: { name?: string; json?: boolean }) =>
      found({ name: 'upload', path, filename: name, json }),
    );
  files
    .command('download')
    .description('Write the bytes of a file to a new file')
    .argument('<id>', 'id of the file')
    .requiredOption('--output <path>', 'a file that is not there yet')
    .action((id: string, { output }: { output: string }) =>
      found({ name: 'download', id, output }),
    );
}
