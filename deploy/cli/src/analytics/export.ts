import { setTimeout as delay } from 'node:timers/promises';
import { ApiRefused, callApi } from '../api/call-api.ts';
import { call as callPlainly, completed } from '../api/call.ts';
import type { Api } from '../api/find-api.ts';
import { show } from '../api/show.ts';
import { downloadFile } from '../files/download.ts';
import { clean, type Output } from '../output.ts';
import type { ExportCommand } from './export-command.ts';
import { fieldOf, textsOf } from './rows.ts';

interface Surroundings {
  readonly api: Api;
  readonly output: Output;
  readonly signal: AbortSignal;
}

const pollMs = 500;
/** A service that was killed is back within this number of questions. */
const failuresMax = 240;

/** Exports usage, and may wait for its file or parts in a bucket. Returns 1 if there are none. Throws ApiRefused. */
export async function exportAnalytics(
  { call, waits, outputPath }: ExportCommand,
  { api, output, signal }: Surroundings,
): Promise<number> {
  if (!waits) return await callPlainly(call, { api, output });
  let made = await callApi(api, await completed(call, api));
  let failures = 0;
  while (isUnderWay(made)) {
    output.progress(`The export is ${String(valueOf(made, 'status'))}.`);
    await delay(pollMs, undefined, { signal });
    const path = `/analytics/exports/${encodeURIComponent(String(valueOf(made, 'id')))}`;
    made = await callApi(api, { method: 'GET', path }).catch((error: unknown) => {
      if (!isPassing(error) || ++failures > failuresMax) throw error;
      return made;
    });
  }
  const id = valueOf(made, 'file_id');
  const isDone = valueOf(made, 'status') === 'completed';
  if (isDone && outputPath !== undefined && typeof id === 'string')
    await downloadFile(api, { id, path: outputPath });
  if (call.json) output.line(JSON.stringify(made, null, 2));
  else if (isDone && outputPath !== undefined)
    output.line(`The export of ${String(valueOf(made, 'row_count'))} rows is in ${outputPath}.`);
  else if (isDone) show(made, { columns: [] }, output);
  for (const warning of textsOf(valueOf(made, 'warnings'))) output.problem(clean(warning));
  if (isDone) return 0;
  output.problem(clean(`The export failed: ${String(valueOf(made, 'error'))}.`));
  return 1;
}

const valueOf = (answer: unknown, name: string) => fieldOf(fieldOf(answer, 'data'), name);

/** Returns true where the same question may be answered later: the export goes on without its reader. */
function isPassing(error: unknown): boolean {
  return error instanceof ApiRefused && (error.status === undefined || error.status >= 500);
}

function isUnderWay(answer: unknown): boolean {
  const status = valueOf(answer, 'status');
  return status === 'queued' || status === 'running';
}
