import type { Command as Words } from 'commander';
import { type AccountOptions, instantOf } from '../words.ts';
import { shown, WrongUsage } from '../wrong-usage.ts';

/** Which entries of the audit are wanted, and how they are shown. */
export interface AuditCommand {
  readonly since: Date | undefined;
  readonly until: Date | undefined;
  /** The id of the actor, or a beginning of it. */
  readonly actor: string | undefined;
  readonly accountId: string | undefined;
  /** `resource.verb`, or a beginning of it. */
  readonly action: string | undefined;
  /** A beginning of the id of what was changed. */
  readonly resource: string | undefined;
  /** The newest so many. */
  readonly limit: number;
  readonly json: boolean;
}

type Options = Partial<Omit<AuditCommand, 'limit' | 'accountId'>> &
  Pick<AuditCommand, 'limit'> &
  AccountOptions;

export const auditEntriesMax = 10_000;
const entriesUsual = 200;

/** `audit`. Its values throw WrongUsage. */
export function addAuditCommand(program: Words, found: (command: AuditCommand) => void): void {
  program
    .command('audit')
    .description('who changed what and when, as the log has it')
    .option('--since <day>', 'from this day or instant on (UTC)', instantOf('--since'))
    .option('--until <day>', 'before this day or instant (UTC)', instantOf('--until'))
    .option('--actor <id>', 'whose changes: the hash of a key, a user, or a beginning of it')
    .option('--account <id>', 'of which account')
    .option('--action <name>', 'like api_key.issued, or a beginning of it')
    .option('--resource <id>', 'what was changed, or a beginning of its id')
    .option('--limit <count>', 'the newest so many', limitOf, entriesUsual)
    .option('--json', 'print JSON lines')
    .action(({ account: accountId, json = false, ...rest }: Options) => {
      const { since, until, actor, action, resource, limit } = rest;
      found({ since, until, actor, action, resource, limit, accountId, json });
    });
}

function limitOf(text: string): number {
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > auditEntriesMax)
    throw new WrongUsage(`--limit ${shown(text)} is no number from 1 to ${auditEntriesMax}.`);
  return limit;
}
