import type { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import type { Calls } from '@sluice/rpc';
import type { Compared, TableSums } from '../domain/compare-sums.ts';

/** The call that lists what an account used on a day. */
export type ActivityLedger = Pick<Calls<LedgerServiceService>, 'listActivity'>;

/** The ledger answers no offset above it. */
const rowsMax = 1_000_000;

/** Reads what the ledger has counted for an account on a day of UTC. Throws for a day with too many rows. */
export async function readLedgerSums(
  ledger: ActivityLedger,
  accountId: string,
  dayStartMs: number,
): Promise<TableSums> {
  const day = new Date(dayStartMs).toISOString().slice(0, 10);
  const sum = { requests: 0n, input: 0n, output: 0n, reasoning: 0n, credits: 0n, byok: 0n };
  for (let offset = 0; offset <= rowsMax;) {
    const { rows, isLast } = await ledger.listActivity({
      accountId,
      fromDay: day,
      toDay: day,
      byWorkspace: false,
      byApp: false,
      offset,
    });
    for (const row of rows) {
      sum.requests += row.requests;
      sum.input += row.inputTokens;
      sum.output += row.outputTokens;
      sum.reasoning += row.reasoningTokens;
      sum.credits += row.creditsNanoUsd;
      sum.byok += row.byokNanoUsd;
    }
    if (isLast) {
      const sums = new Map([[dayStartMs, comparedOf(sum)]]);
      return { table: 'ledger', bucket: 'day', sums };
    }
    offset += rows.length;
  }
  throw new Error(`the ledger has more than ${rowsMax} rows for ${accountId} on ${day}`);
}

type Sum = Readonly<
  Record<'requests' | 'input' | 'output' | 'reasoning' | 'credits' | 'byok', bigint>
>;

const comparedOf = (sum: Sum): Compared => ({
  requests: sum.requests,
  input_tokens: sum.input,
  output_tokens: sum.output,
  reasoning_tokens: sum.reasoning,
  credits_nano_usd: sum.credits,
  byok_nano_usd: sum.byok,
});
