import type { Command as Words } from 'commander';
import { systemClock } from '@sluice/clock-and-ids';
import { addCommandOf } from '../api-commands/add-commands.ts';
import type { Call } from '../api/request.ts';
import { WrongUsage } from '../wrong-usage.ts';
import { addQuestionFlags } from './question-flags.ts';
import { questionOf, type ShortFlags } from './question.ts';

/** Exports usage, and may wait for the file. */
export interface ExportCommand {
  readonly call: Call;
  readonly waits: boolean;
  /** The file goes there once it is made. Undefined: it stays in the workspace. */
  readonly outputPath: string | undefined;
}

interface Flags extends ShortFlags {
  readonly wait?: true;
  readonly output?: string;
}

/** Adds `analytics export`: the command of the API's description, with shorter flags, a wait and a download. */
export function addAnalyticsExport(program: Words, found: (command: ExportCommand) => void): void {
  const words = addCommandOf('createExport', program, (asked) => {
    const flags = words.opts<Flags>();
    const { output: outputPath, wait = false } = flags;
    const question = questionOf(flags, bucketStart(asked.body?.['table'], systemClock.now()));
    const isFile = asked.body?.['destination_id'] === undefined;
    if (outputPath !== undefined && !isFile)
      throw new WrongUsage(
        '--output is for an export that becomes a file, without --destination-id.',
      );
    const call = { ...asked, body: { ...asked.body, ...question } };
    found({ call, waits: wait || outputPath !== undefined, outputPath });
  });
  addQuestionFlags(words);
  words.option('--wait', 'Wait until the file is made.');
  words.option('--output <path>', 'Write it to a file that is not there yet.');
  words.addHelpText(
    'after',
    '  sluice analytics export --table usage_day --from 2026-11-01 --format parquet --output usage.parquet',
  );
}

const bucketMs: Readonly<Record<string, number>> = { usage_hour: 3_600_000, usage_day: 86_400_000 };

/** Tables of sums are exported up to a whole bucket. */
function bucketStart(table: unknown, now: Date): Date {
  const unit = (typeof table === 'string' ? bucketMs[table] : undefined) ?? 1;
  return new Date(Math.floor(now.getTime() / unit) * unit);
}
