import type { Command as Words } from 'commander';
import { systemClock } from '@sluice/clock-and-ids';
import type { Call } from '../api/request.ts';
import { addCommandOf } from '../api-commands/add-commands.ts';
import { addQuestionFlags, option } from './question-flags.ts';
import { questionOf, type ShortFlags } from './question.ts';

/** Asks for usage: as other commands show it, as a file for spreadsheets, or as a picture. */
export interface AnalyticsCommand {
  readonly call: Call;
  readonly form: 'plain' | 'csv' | 'chart';
}

interface Flags extends ShortFlags {
  readonly csv?: true;
  readonly chart?: true;
}

/** Adds `analytics query`: the command of the API's description, with shorter flags and two more forms. */
export function addAnalyticsQuery(
  program: Words,
  found: (command: AnalyticsCommand) => void,
): void {
  const query = addCommandOf('queryAnalytics', program, (asked) => {
    const flags = query.opts<Flags>();
    const body = { ...asked.body, ...questionOf(flags, systemClock.now()) };
    const form = flags.csv ? 'csv' : flags.chart ? 'chart' : 'plain';
    found({ call: { ...asked, body }, form });
  });
  addQuestionFlags(query);
  const options = [
    option('--csv', 'Print CSV.', 'json', 'chart'),
    option('--chart', 'Draw bars of groups, or columns over time.', 'json'),
  ];
  for (const each of options) query.addOption(each);
  query.addHelpText(
    'after',
    '  sluice analytics query --metrics total_usage --by model --every day --chart',
  );
}
