import { batchId } from '../batch-id.ts';
import { headerText } from '../header-text.ts';
import type { Sender } from '../sender.ts';
import { setting } from '../setting.ts';
import { traceRow } from '../views/trace-row.ts';

/**
 * Inserts generations into a table of ClickHouse over its HTTP interface. A table may have fewer columns than a row.
 * The deduplication token lets a table with a deduplication window take a batch once, however often it is sent.
 */
export const clickhouse: Sender = {
  batchMax: 500,
  requests(destination, batch) {
    const { shows } = destination;
    const url = new URL(setting(destination, 'host'));
    url.search = new URLSearchParams({
      database: setting(destination, 'database'),
      query: `INSERT INTO \`${setting(destination, 'table')}\` FORMAT JSONEachRow`,
      date_time_input_format: 'best_effort',
      input_format_skip_unknown_fields: '1',
      insert_deduplication_token: batchId(batch, 'clickhouse'),
    }).toString();
    const request = {
      url: url.href,
      method: 'POST' as const,
      headers: {
        'content-type': 'application/x-ndjson',
        'x-clickhouse-user': headerText(setting(destination, 'username')),
        'x-clickhouse-key': headerText(setting(destination, 'password')),
      },
      body: batch.map((observed) => `${JSON.stringify(traceRow(observed, shows))}\n`).join(''),
    };
    return Promise.resolve([request]);
  },
};
