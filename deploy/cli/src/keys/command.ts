import type { Command as Words } from 'commander';
import { type AccountOptions, counted, groupOf, ofAccount } from '../words.ts';
import { shown, WrongUsage } from '../wrong-usage.ts';

interface OfAccount {
  /** If undefined, the command is for the organization of the first start. */
  readonly accountId: string | undefined;
  readonly json: boolean;
}

/** A key that manages an account. The operator makes it, and no route of the HTTP API does. */
export interface CreateManagementKey extends OfAccount {
  readonly name: 'create';
  readonly keyName: string;
  /** ISO 8601 UTC with seconds; the key service judges it. */
  readonly expiresAt: string;
}

export interface ListManagementKeys extends OfAccount {
  readonly name: 'list';
  readonly offset: number;
}

export interface ChangeOneKey extends OfAccount {
  readonly name: 'disable' | 'enable' | 'revoke';
  /** 64 hex digits, or the first 8 or more of them where they name one management key. */
  readonly hash: string;
}

export type OperatorKeyCommand = CreateManagementKey | ListManagementKeys | ChangeOneKey;

interface Options extends AccountOptions {
  readonly name: string;
  readonly expires: string;
  readonly offset: number;
}

const changes = {
  disable: 'a key of either kind opens nothing until it is enabled',
  enable: 'a disabled key opens again what it opened',
  revoke: 'a key of either kind opens nothing any more, for good',
} as const;

/** Adds the commands for keys that the HTTP API does not have. */
export function addOperatorKeyCommands(
  program: Words,
  found: (command: OperatorKeyCommand) => void,
): void {
  const keys = groupOf(program, 'keys');
  const common = ({ account, json = false }: AccountOptions) => ({ accountId: account, json });
  ofAccount(keys.command('create-management'))
    .description('a key that manages the account; it is shown this once')
    .requiredOption('--name <text>', 'what it is for')
    .requiredOption('--expires <instant>', 'like 2027-01-31T00:00:00Z')
    .action((options: Options) => {
      const { name: keyName, expires: expiresAt } = options;
      found({ name: 'create', keyName, expiresAt, ...common(options) });
    });
  ofAccount(keys.command('list-management'))
    .description('the keys that manage the account, the newest first')
    .option('--offset <count>', 'leave out so many', counted('--offset'), 0)
    .action((options: Options) =>
      found({ name: 'list', offset: options.offset, ...common(options) }),
    );
  for (const name of ['disable', 'enable', 'revoke'] as const)
    ofAccount(keys.command(name))
      .argument(
        '<hash>',
        'the hash, or for a management key its first 8 characters or more',
        hashFrom,
      )
      .description(changes[name])
      .action((hash: string, options: AccountOptions) => found({ name, hash, ...common(options) }));
}

const hashPattern = /^[0-9a-f]{8,64}$/;

function hashFrom(text: string): string {
  const hash = text.toLowerCase();
  if (hashPattern.test(hash)) return hash;
  throw new WrongUsage(`${shown(text)} is neither a hash nor its first 8 characters or more.`);
}
