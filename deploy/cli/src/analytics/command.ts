import type { Command as Words } from 'commander';
import type { Call } from '../api/request.ts';
import { addApiCommands } from '../api-commands/add-commands.ts';
import type { ApiCommand } from '../api-commands/api-command.ts';
import { addQuestionFlags, option } from './question-flags.ts';
import { questionOf, type ShortFlags } from './question.ts';

/** Asks for usage as a file for spreadsheets, or as a picture. */
export interface AnalyticsCommand {
  readonly call: Call;
  readonly form: 'csv' | 'chart';
}

interface Found {
  readonly call: (call: Call) => void;
  readonly command: (command: AnalyticsCommand) => void;
}

interface Flags extends ShortFlags {
  readonly csv?: true;
  readonly chart?: true;
}

export const isAnalyticsQuery = ({ operationId }: ApiCommand) => operationId === 'queryAnalytics';

/** Adds `analytics query`: the command of the API's description, with shorter flags and two more forms. */
export function addAnalyticsQuery(
  program: Words,
  known: readonly ApiCommand[],
  { found, now }: { readonly found: Found; readonly now: () => Date },
): void {
  addApiCommands(program, known.filter(isAnalyticsQuery), (asked) => {
    const flags = query?.opts<Flags>() ?? {};
    const call = { ...asked, body: { ...asked.body, ...questionOf(flags, now()) } };
    if (flags.csv) found.command({ call, form: 'csv' });
    else if (flags.chart) found.command({ call, form: 'chart' });
    else found.call(call);
  });
  const group = program.commands.find((each) => each.name() === 'analytics');
  const query = group?.commands.find((each) => each.name() === 'query');
  if (query) addFlags(query);
}

function addFlags(query: Words): void {
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
