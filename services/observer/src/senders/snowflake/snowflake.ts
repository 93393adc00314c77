import { batchId } from '../batch-id.ts';
import { judgeStatus } from '../judge-status.ts';
import type { Sender } from '../sender.ts';
import { setting } from '../setting.ts';
import { type TraceRow, traceRow } from '../views/trace-row.ts';

const timeoutSeconds = 45;

/**
 * Inserts generations into a table of Snowflake with its SQL API: one statement, whose only parameter is the rows as
 * JSON. A batch that is sent again has the same request id, and Snowflake runs it once.
 */
export const snowflake: Sender = {
  batchMax: 100,
  requests(destination, batch) {
    const { shows } = destination;
    const rows = batch.map((observed) => traceRow(observed, shows));
    const account = setting(destination, 'account').replaceAll('_', '-');
    const query = new URLSearchParams({ requestId: batchId(batch, 'snowflake'), retry: 'true' });
    const request = {
      url: `https://${account}.snowflakecomputing.com/api/v2/statements?${query.toString()}`,
      method: 'POST' as const,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        authorization: `Bearer ${setting(destination, 'token')}`,
        'x-snowflake-authorization-token-type': 'PROGRAMMATIC_ACCESS_TOKEN',
      },
      body: JSON.stringify({
        statement: statementFor(setting(destination, 'table'), rows[0] ?? {}),
        timeout: timeoutSeconds,
        database: setting(destination, 'database'),
        schema: setting(destination, 'schema'),
        warehouse: setting(destination, 'warehouse'),
        bindings: { 1: { type: 'TEXT', value: JSON.stringify(rows) } },
      }),
    };
    return Promise.resolve([request]);
  },
  // The statement still runs: asking again with the same request id gives its result.
  judge: (reply, { now }) =>
    reply.status === 202 ? { outcome: 'retry' } : judgeStatus(reply, now),
};

/** The names come from our row and from a setting that is an unquoted name. */
function statementFor(table: string, row: TraceRow): string {
  const names = Object.keys(row);
  const columns = names.map((name) => `"${name.toUpperCase()}"`).join(', ');
  const values = names.map((name) => `value:${name}`).join(', ');
  return `INSERT INTO ${table} (${columns}) SELECT ${values} FROM TABLE(FLATTEN(INPUT => PARSE_JSON(?)))`;
}
