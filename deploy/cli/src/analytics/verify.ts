import {
  AnalyticsServiceService,
  type Difference,
  type VerifyResponse,
} from '@sluice/protos/sluice/analytics/v1/analytics';
import type { Operator } from '../operator.ts';
import { clean, type Output } from '../output.ts';
import type { VerifyCommand } from './verify-command.ts';

/** A day of one account may take as long as a statement may, twice, and the ledger its time. */
const deadlineMs = 120_000;
const shownMax = 1_000;
const ledgerReadMsMax = 600_000;

/** Compares page by page and prints each difference. Returns the exit code: 1 if something differs. */
export async function verifyAnalytics(
  { from, to, accountId }: VerifyCommand,
  { ask, output, signal }: Operator<'analytics'>,
): Promise<number> {
  const window = { startMs: BigInt(from.getTime()), endMs: BigInt(to.getTime()), accountId };
  let [differing, compared] = [0, 0];
  let page: VerifyResponse | undefined;
  do {
    signal.throwIfAborted();
    const asked = { ...window, after: page?.next ?? '' };
    page = await ask(
      'analytics',
      AnalyticsServiceService,
      (client) => client.verify(asked),
      deadlineMs,
    );
    for (const one of page.differences.slice(0, Math.max(0, shownMax - differing)))
      output.line(clean(lineOf(one)));
    differing += page.differences.length;
    compared += page.compared;
  } while (page.next !== '');
  if (differing > shownMax) output.line(`and ${differing - shownMax} more`);
  remarkOnLedger(page, output);
  const days = `${compared} ${compared === 1 ? 'day' : 'days'} of accounts`;
  if (differing > 0)
    output.line(`${differing} ${differing === 1 ? 'sum differs' : 'sums differ'} (${days}).`);
  else output.line(`The sums of analytics are those of its facts and of the ledger (${days}).`);
  return differing > 0 ? 1 : 0;
}

function remarkOnLedger({ ledgerReadAtMs }: VerifyResponse, output: Output): void {
  if (ledgerReadAtMs === undefined)
    output.problem('Analytics has not read the ledger to its end yet: it may lack usage.');
  else if (Date.now() - Number(ledgerReadAtMs) > ledgerReadMsMax)
    output.problem(
      `Analytics last read the ledger to its end at ${new Date(Number(ledgerReadAtMs)).toISOString()}.`,
    );
}

function lineOf({
  table,
  accountId,
  bucket,
  atMs,
  measure,
  value,
  expected,
  expectedOf,
}: Difference) {
  const at = new Date(Number(atMs)).toISOString();
  const start = bucket === 'day' ? at.slice(0, 10) : `${at.slice(0, 13)}:00Z`;
  return `${table} ${accountId} ${start} ${measure}: ${value}, and ${expectedOf} has ${expected}`;
}
