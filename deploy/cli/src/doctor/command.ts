import type { Command as Words } from 'commander';

export interface DoctorCommand {
  readonly json: boolean;
}

/** `doctor`. */
export function addDoctorCommand(program: Words, found: (command: DoctorCommand) => void): void {
  program
    .command('doctor')
    .description('check the event store, PostgreSQL, NATS, migrations and clocks')
    .option('--json', 'print JSON lines')
    .action(({ json = false }: { readonly json?: boolean }) => found({ json }));
}
