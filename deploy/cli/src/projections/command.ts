import type { Command as Words } from 'commander';

export type ProjectionsCommand =
  | { readonly name: 'list' }
  | { readonly name: 'rebuild' | 'compare'; readonly projection: string };

/** `projections list` and `projections rebuild`. */
export function addProjectionsCommands(
  program: Words,
  found: (command: ProjectionsCommand) => void,
): void {
  const group = program.command('projections').description('read models and reactions');
  group
    .command('list')
    .description('what every projection has reached, and what keeps it')
    .action(() => found({ name: 'list' }));
  group
    .command('rebuild <name>')
    .description('build its tables anew from the log, beside the live ones, and switch')
    .option('--compare', 'show the rows that differ instead of switching')
    .action((projection: string, { compare }: { readonly compare?: true }) =>
      found({ name: compare ? 'compare' : 'rebuild', projection }),
    );
}
