import type { Command as Words } from 'commander';

/** Asks for the story of a generation. */
export interface ExplainCommand {
  readonly generationId: string;
  readonly json: boolean;
}

/** `explain`. */
export function addExplainCommand(program: Words, found: (command: ExplainCommand) => void): void {
  program
    .command('explain')
    .description('why a generation went where it went, and what it cost')
    .argument('<generation-id>', 'as the header X-Generation-Id named it')
    .option('--json', 'print the record as JSON')
    .action((generationId: string, { json = false }: { readonly json?: boolean }) =>
      found({ generationId, json }),
    );
}
