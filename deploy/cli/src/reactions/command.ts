import type { Position } from '@sluice/es';
import type { Command as Words } from 'commander';
import { WrongUsage } from '../wrong-usage.ts';

export interface RewindCommand {
  readonly reaction: string;
  readonly to: Position | 'start';
}

/** `reactions rewind`. Throws WrongUsage for a position that is none. */
export function addReactionsCommands(
  program: Words,
  found: (command: RewindCommand) => void,
): void {
  program
    .command('reactions')
    .description('what the services do when they hear of an event')
    .command('rewind <name>')
    .description('have it hear again of all events behind a position; it does nothing twice')
    .requiredOption('--to <position>', 'COMMIT/PREPARE as `projections list` shows it, or start')
    .action((reaction: string, { to }: { readonly to: string }) =>
      found({ reaction, to: positionOf(to) }),
    );
}

function positionOf(text: string): Position | 'start' {
  if (text === 'start') return text;
  const [, commit, prepare] = /^(\d{1,18})\/(\d{1,18})$/.exec(text) ?? [];
  if (commit === undefined || prepare === undefined)
    throw new WrongUsage('--to is a position such as 4711/4711, or start.');
  return { commit: BigInt(commit), prepare: BigInt(prepare) };
}
