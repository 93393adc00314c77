import type { Command as Words } from 'commander';
import { groupOf } from '../words.ts';

/** Takes no further words. */
export type RebuildCommand = undefined;

/** Adds `analytics rebuild` to the commands of the group. */
export function addAnalyticsRebuild(
  program: Words,
  found: (command: RebuildCommand) => void,
): void {
  groupOf(program, 'analytics')
    .command('rebuild')
    .description('make the tables of analytics again from the ledger, while the old ones answer')
    .action(() => found(undefined));
}
