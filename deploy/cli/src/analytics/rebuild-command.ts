import type { Command as Words } from 'commander';

/** Adds `analytics rebuild` to the commands of the group. */
export function addAnalyticsRebuild(program: Words, found: () => void): void {
  const group =
    program.commands.find((each) => each.name() === 'analytics') ?? program.command('analytics');
  group
    .command('rebuild')
    .description('make the tables of analytics again from the ledger, while the old ones answer')
    .action(() => found());
}
