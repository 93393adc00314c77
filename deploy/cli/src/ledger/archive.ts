import { archiveFacts } from '@sluice/ledger/archive';
import { count, counted } from '../amounts.ts';
import type { Output } from '../output.ts';
import type { LedgerCommand } from './command.ts';

interface Surroundings {
  readonly postgresUrl: string;
  /** Days of admission that ended by this instant. */
  readonly before: Date;
  readonly output: Output;
}

/** Moves the facts of old days to files, and prints a line for each day. Returns 1 if a day has to wait. */
export async function tellArchived(
  { folder, isConfirmed }: Extract<LedgerCommand, { name: 'archive' }>,
  { postgresUrl, before, output }: Surroundings,
): Promise<number> {
  let held = 0;
  const days = await archiveFacts({
    postgresUrl,
    folder,
    before,
    isConfirmed,
    onDay(day) {
      if (day.kind === 'held') {
        held += 1;
        output.line(`${day.day}: waits (${day.reason})`);
      } else output.line(`${day.day}: ${counted(day.facts, 'usage fact')} in ${day.file}`);
    },
  });
  if (!isConfirmed) for (const day of days) output.line(day);
  output.line(
    isConfirmed
      ? `Archived: ${counted(BigInt(days.length - held), 'day')}. Waiting: ${count(BigInt(held))}.`
      : `To be archived with --confirm: ${counted(BigInt(days.length), 'day')}.`,
  );
  return held === 0 ? 0 : 1;
}
