import type { Command as Words } from 'commander';

/** A key that manages an account: made by whoever runs the services, never over the HTTP API. */
export interface CreateManagementKey {
  readonly accountId: string | undefined;
  readonly name: string;
  /** ISO 8601 UTC with seconds; the key service judges it. */
  readonly expiresAt: string;
  readonly json: boolean;
}

interface Options {
  readonly account?: string;
  readonly name: string;
  readonly expires: string;
  readonly json?: boolean;
}

/** `keys create-management`, beside what the HTTP API can do with keys. */
export function addManagementKeyCommand(
  program: Words,
  found: (command: CreateManagementKey) => void,
): void {
  const keys = program.commands.find((each) => each.name() === 'keys') ?? program.command('keys');
  keys
    .command('create-management')
    .description('a key that manages the account; it is shown this once')
    .requiredOption('--name <text>', 'what it is for')
    .requiredOption('--expires <instant>', 'like 2027-01-31T00:00:00Z')
    .option('--account <id>', 'default: the organization of the first start')
    .option('--json', 'print JSON')
    .action(({ account, name, expires, json = false }: Options) =>
      found({ accountId: account, name, expiresAt: expires, json }),
    );
}
