import type { Command as Words } from 'commander';
import { WrongUsage } from '../wrong-usage.ts';

export type ProjectionsCommand =
  | { readonly name: 'list' }
  | { readonly name: 'rebuild' | 'compare'; readonly projection: string }
  | SkipCommand;

export interface SkipCommand {
  readonly name: 'skip';
  readonly eventId: string;
  readonly reason: string;
}

const reasonLengthMax = 500;

/** `projections list`, `rebuild` and `skip`. Throws WrongUsage for a reason that is none. */
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
  group
    .command('skip <event>')
    .description('leave out an event that cannot be applied, for good and everywhere')
    .requiredOption('--reason <text>', 'why, for the audit')
    .action((eventId: string, { reason }: { readonly reason: string }) =>
      found({ name: 'skip', eventId, reason: reasonOf(reason) }),
    );
}

function reasonOf(text: string): string {
  const reason = text.trim();
  if (reason === '' || reason.length > reasonLengthMax)
    throw new WrongUsage(`--reason is a text of 1 to ${reasonLengthMax} characters.`);
  return reason;
}
