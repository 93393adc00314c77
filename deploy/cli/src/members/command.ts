import { type Command as Words, Argument, Option } from 'commander';
import { type AccountOptions, ofAccount } from '../words.ts';

interface OfAccount {
  /** If undefined, the command is for the organization of the first start. */
  readonly accountId: string | undefined;
  readonly json: boolean;
}

export interface AddMember extends OfAccount {
  readonly name: 'add';
  readonly email: string;
  /** If undefined, the id is made from the account and the address, so that the same address is the same member. */
  readonly userId: string | undefined;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: 'admin' | 'member';
}

export interface ChangeRole extends OfAccount {
  readonly name: 'role';
  readonly userId: string;
  readonly role: 'admin' | 'member';
}

export interface RemoveMember extends OfAccount {
  readonly name: 'remove';
  readonly userId: string;
}

export type MembersCommand = AddMember | ChangeRole | RemoveMember;

interface AddOptions extends AccountOptions {
  readonly email: string;
  readonly user?: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: 'admin' | 'member';
}

const roles = ['admin', 'member'] as const;

/** `members add`, `role` and `remove`; `organization members` lists them. */
export function addMembersCommands(program: Words, found: (command: MembersCommand) => void): void {
  const group = program.command('members').description('the members of an organization');
  const common = ({ account, json = false }: AccountOptions) => ({ accountId: account, json });
  ofAccount(group.command('add'))
    .description('a new member, or one who was removed')
    .requiredOption('--email <address>', 'where they are reached')
    .option('--user <id>', 'default: an id that follows from the address')
    .option('--first-name <text>', 'what they are called', '')
    .option('--last-name <text>', 'what they are called', '')
    .addOption(new Option('--role <role>', 'what they may do').choices(roles).default('member'))
    .action((options: AddOptions) => {
      const { email, user: userId, firstName, lastName, role } = options;
      found({ name: 'add', email, userId, firstName, lastName, role, ...common(options) });
    });
  ofAccount(group.command('role'))
    .description('promote or demote a member')
    .argument('<user>', 'the id')
    .addArgument(new Argument('<role>', 'admin or member').choices(roles))
    .action((userId: string, role: ChangeRole['role'], options: AccountOptions) =>
      found({ name: 'role', userId, role, ...common(options) }),
    );
  ofAccount(group.command('remove'))
    .description('a member; the keys that they made are disabled, and stay so')
    .argument('<user>', 'the id')
    .action((userId: string, options: AccountOptions) =>
      found({ name: 'remove', userId, ...common(options) }),
    );
}
