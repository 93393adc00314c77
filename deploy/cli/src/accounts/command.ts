import { Argument, type Command as Words, Option } from 'commander';
import { type AccountOptions, counted, ofAccount } from '../words.ts';

export interface OpenAccount {
  readonly name: 'open';
  readonly kind: 'organization' | 'personal';
  readonly accountName: string;
  /** If undefined, the account gets a new id. */
  readonly accountId: string | undefined;
  /** If undefined, the id is made from the account and the address. */
  readonly ownerUserId: string | undefined;
  readonly ownerEmail: string;
  readonly json: boolean;
}

export interface ListAccounts {
  readonly name: 'list';
  readonly offset: number;
  readonly limit: number;
  readonly json: boolean;
}

/** Gives an account a feature, or takes it away. */
export interface EntitleAccount {
  readonly name: 'entitle';
  readonly feature: (typeof features)[number];
  readonly isEnabled: boolean;
  /** If undefined, the command is for the organization of the first start. */
  readonly accountId: string | undefined;
  readonly json: boolean;
}

export type AccountsCommand = OpenAccount | ListAccounts | EntitleAccount;

/** The features that the operator gives to single accounts. */
export const features = ['alignment', 'scim'] as const;

interface OpenOptions {
  readonly name: string;
  readonly kind: OpenAccount['kind'];
  readonly id?: string;
  readonly owner?: string;
  readonly ownerEmail: string;
  readonly json?: boolean;
}

interface ListOptions {
  readonly offset: number;
  readonly limit: number;
  readonly json?: boolean;
}

/** `accounts open`, `list`, `allow` and `forbid`. */
export function addAccountsCommands(
  program: Words,
  found: (command: AccountsCommand) => void,
): void {
  const group = program.command('accounts').description('organizations and personal accounts');
  group
    .command('open')
    .description('a new account with its default workspace and its owner')
    .requiredOption('--name <text>', 'what it is called')
    .requiredOption('--owner-email <address>', 'of the user who owns it')
    .addOption(
      new Option('--kind <kind>', 'an organization has members')
        .choices(['organization', 'personal'])
        .default('organization'),
    )
    .option('--id <id>', 'under the same id it is opened once; default: a new one')
    .option('--owner <user>', 'the id of the owner; default: a new one')
    .option('--json', 'print JSON')
    .action(({ name, kind, id, owner, ownerEmail, json = false }: OpenOptions) => {
      const ids = { accountId: id, ownerUserId: owner };
      found({ name: 'open', kind, accountName: name, ...ids, ownerEmail, json });
    });
  group
    .command('list')
    .description('all of them, those opened first first')
    .option('--offset <count>', 'leave out so many', counted('--offset'), 0)
    .option('--limit <count>', 'at most so many, up to 100', counted('--limit'), 100)
    .option('--json', 'print JSON')
    .action(({ offset, limit, json = false }: ListOptions) =>
      found({ name: 'list', offset, limit, json }),
    );
  const entitle = (word: string, isEnabled: boolean) =>
    ofAccount(group.command(word))
      .addArgument(new Argument('<feature>', 'a plugin in beta, or groups').choices(features))
      .action((feature: EntitleAccount['feature'], { account, json = false }: AccountOptions) =>
        found({ name: 'entitle', feature, isEnabled, accountId: account, json }),
      );
  entitle('allow', true).description('give an account a feature, such as the beta of alignment');
  entitle('forbid', false).description('take a feature away from an account');
}
