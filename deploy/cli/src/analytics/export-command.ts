import type { Command as Words } from 'commander';
import { addApiCommands } from '../api-commands/add-commands.ts';
import type { ApiCommand } from '../api-commands/api-command.ts';
import type { Call } from '../api/request.ts';
import { WrongUsage } from '../wrong-usage.ts';
import { addQuestionFlags } from './question-flags.ts';
import { questionOf, type ShortFlags } from './question.ts';

/** Exports usage, and waits for the file. */
export interface ExportCommand {
  readonly call: Call;
  /** The file goes there once it is made. Undefined: it stays in the workspace. */
  readonly outputPath: string | undefined;
}

interface Found {
  readonly call: (call: Call) => void;
  readonly command: (command: ExportCommand) => void;
}

interface Flags extends ShortFlags {
  readonly wait?: true;
  readonly output?: string;
}

export const isAnalyticsExport = ({ operationId }: ApiCommand) => operationId === 'createExport';

/** Adds `analytics export`: the command of the API's description, with shorter flags, a wait and a download. */
export function addAnalyticsExport(
  program: Words,
  known: readonly ApiCommand[],
  { found, now }: { readonly found: Found; readonly now: () => Date },
): void {
  addApiCommands(program, known.filter(isAnalyticsExport), (asked) => {
    const flags = words?.opts<Flags>() ?? {};
    const question = questionOf(flags, bucketStart(asked.body?.['table'], now()));
    const call = { ...asked, body: { ...asked.body, ...question } };
    const isFile = asked.body?.['destination_id'] === undefined;
    if (flags.output !== undefined && !isFile)
      throw new WrongUsage(
        '--output is for an export that becomes a file, without --destination-id.',
      );
    if (flags.wait || flags.output !== undefined) found.command({ call, outputPath: flags.output });
    else found.call(call);
  });
  const group = program.commands.find((each) => each.name() === 'analytics');
  const words = group?.commands.find((each) => each.name() === 'export');
  if (!words) return;
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
