import type { Command as Words } from 'commander';

export type EventStoreCommand =
  | { readonly name: 'diff'; readonly json: boolean }
  | { readonly name: 'accept'; readonly isConfirmed: boolean }
  | { readonly name: 'require-signatures' };

/** `eventstore diff` and `eventstore accept`. */
export function addEventStoreCommands(
  program: Words,
  found: (command: EventStoreCommand) => void,
): void {
  const group = program
    .command('eventstore')
    .description('an event store that was restored, emptied or replaced');
  group
    .command('diff')
    .description('what the read models have and the event store lacks')
    .option('--json', 'print the events as JSON, one object a line')
    .action(({ json = false }: { readonly json?: boolean }) => found({ name: 'diff', json }));
  group
    .command('accept')
    .description('take the event store as it is: rebuild all read models, run reactions again')
    .option('--yes', 'do not ask')
    .action(({ yes = false }: { readonly yes?: boolean }) =>
      found({ name: 'accept', isConfirmed: yes }),
    );
  group
    .command('require-signatures')
    .description('skip unsigned events from now on, once all services have SLUICE_EVENT_KEY')
    .action(() => found({ name: 'require-signatures' }));
}
