import { callApi } from '../api/call-api.ts';
import { call as callPlainly, completed } from '../api/call.ts';
import type { Api } from '../api/find-api.ts';
import { clean, type Output } from '../output.ts';
import { drawChart } from './chart.ts';
import type { AnalyticsCommand } from './command.ts';
import { csvOf } from './csv.ts';
import { answeredOf, columnsOf } from './rows.ts';

/** Asks the question and prints its rows. What the rows leave out is a remark. Throws ApiRefused. */
export async function queryAnalytics(
  { call, form }: AnalyticsCommand,
  { api, output }: { readonly api: Api; readonly output: Output },
): Promise<number> {
  if (form === 'plain') return await callPlainly(call, { api, output });
  const asked = await completed(call, api);
  const { rows, isTruncated, warnings } = answeredOf(await callApi(api, asked));
  const question = asked.body ?? {};
  const lines =
    form === 'csv'
      ? csvOf(columnsOf(rows, question), rows)
      : drawChart(rows, question, output.columns);
  for (const line of lines) output.line(line);
  for (const warning of warnings) output.problem(clean(warning));
  if (isTruncated) output.problem('There are more rows: --limit has the most that are answered.');
  return 0;
}
