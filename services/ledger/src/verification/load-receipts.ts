import type { Queryable } from '@sluice/read-model';
import type { ProviderReceipt } from './receipt.ts';

const batchSize = 1_000;

/**
 * Into the temporary table `given_receipts`, so that memory is bounded; it ends with the connection.
 * Returns how many there are.
 */
export async function loadReceipts(
  connection: Queryable,
  receipts: AsyncIterable<ProviderReceipt>,
): Promise<bigint> {
  const run = (text: string) => connection.query({ text, values: [] });
  await run(`CREATE TEMPORARY TABLE given_receipts (id text NOT NULL,
    input_tokens bigint NOT NULL, output_tokens bigint NOT NULL, cached_tokens bigint,
    reasoning_tokens bigint, attempt_id text NOT NULL, is_free boolean NOT NULL,
    cost_nano_usd bigint)`);
  let loaded = 0n;
  let batch: ProviderReceipt[] = [];
  const flush = async () => {
    await insert(connection, batch);
    loaded += BigInt(batch.length);
    batch = [];
  };
  for await (const receipt of receipts) if (batch.push(receipt) === batchSize) await flush();
  await flush();
  await run('ANALYZE given_receipts');
  return loaded;
}

async function insert(connection: Queryable, batch: readonly ProviderReceipt[]): Promise<void> {
  await connection.query({
    name: 'insert-receipts',
    text: `INSERT INTO given_receipts SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[],
             $4::bigint[], $5::bigint[], $6::text[], $7::boolean[], $8::bigint[])`,
    values: [
      batch.map(({ id }) => id),
      batch.map(({ inputTokens }) => inputTokens),
      batch.map(({ outputTokens }) => outputTokens),
      batch.map(({ cachedTokens }) => cachedTokens ?? null),
      batch.map(({ reasoningTokens }) => reasoningTokens ?? null),
      batch.map(({ attemptId = '' }) => attemptId),
      batch.map(({ isFree = false }) => isFree),
      batch.map(({ costNanoUsd }) => costNanoUsd ?? null),
    ],
  });
}
