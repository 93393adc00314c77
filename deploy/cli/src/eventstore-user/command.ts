import type { Command as Words } from 'commander';
import { groupOf } from '../words.ts';

export interface PrepareUserCommand {
  readonly isExclusive: boolean;
}

/** `eventstore prepare-user`, in the group of the commands about the event store. */
export function addPrepareUserCommand(
  program: Words,
  found: (command: PrepareUserCommand) => void,
): void {
  groupOf(program, 'eventstore')
    .command('prepare-user')
    .description('make the user of SLUICE_EVENTSTORE_URL with the rights that the services need')
    .option('--exclusive', 'let only this user and administrators read and write streams')
    .addHelpText('after', '\nIt takes the administrator from SLUICE_EVENTSTORE_ADMIN_URL.')
    .action(({ exclusive = false }: { readonly exclusive?: boolean }) =>
      found({ isExclusive: exclusive }),
    );
}
