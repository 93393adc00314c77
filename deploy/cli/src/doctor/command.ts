import type { Command as Words } from 'commander';

export interface DoctorCommand {
  readonly json: boolean;
  /** Prints the SQL that an administrator of PostgreSQL runs before the first start, and checks nothing. */
  readonly sql: boolean;
}

/** `doctor`. */
export function addDoctorCommand(program: Words, found: (command: DoctorCommand) => void): void {
  program
    .command('doctor')
    .description('check the event store, PostgreSQL, NATS, migrations and clocks')
    .option('--json', 'print JSON lines')
    .option(
      '--sql',
      'print the SQL that an administrator of PostgreSQL has to run, and check nothing',
    )
    .action(({ json = false, sql = false }: Partial<DoctorCommand>) => found({ json, sql }));
}
