import { join } from 'node:path';
import { openDatabase } from '@sluice/read-model';
import type { Random } from '@sluice/testing/random';
import { reasonOf, sendUntilServed, textAt } from '../../load/http.ts';
import { type RequestCounts, startRequests } from '../../load/requests.ts';
import type { Installation } from '../../parts/installation.ts';
import type { Ocr } from '../../parts/ocr.ts';
import { watching } from '@sluice/testing/watching';
import { analyticsAtRest } from './analytics-at-rest.ts';
import { type Books, booksOf } from './books.ts';
import { type Compared, comparedBooks } from './compared.ts';
import { conservationAtRest, watchConservation } from './conservation.ts';

export interface AuditOptions {
  readonly installation: Installation;
  readonly requestsPerSecond: number;
  readonly random: Random;
  readonly say: (line: string) => void;
  /** The key of the account without a limit sends everything. */
  readonly isUnlimited?: boolean;
  /** The provider's books. The default is those of the installation's own simulator. */
  readonly receiptsFile?: string;
  /** The engine that reads files, whose books are compared, too. Absent: no request has a file. */
  readonly ocr?: Ocr | undefined;
  /** The power is cut while intents are synced: calls that no client heard of may be lost. */
  readonly mayLoseUnheard?: boolean;
  /** Longest wait for missing usage, in milliseconds. */
  readonly settleMs?: number | undefined;
}

export interface Audited extends Compared, RequestCounts {
  /** The largest amount over the limits at any time: charged, in suspense and leased. */
  readonly overspendNanoUsd: bigint;
  /** Number of answers that showed a command of the sandbox. */
  readonly commands: number;
  /** Number of looks at the limits. */
  readonly capLooks: number;
  /** Number of answers of `GET /proof/conservation`. */
  readonly conservationLooks: number;
}

/** Small enough to be used up, so that the cap is put to the test as well. */
const keyLimitsUsd = [0.0005, 0.02, 0.2] as const;
const connectionsMax = 2;
const capsPollMs = 50;

/**
 * Sends requests while something is hit, waits until usage has settled, and compares the ledger's books with the
 * provider's. All requests have ended when it resolves.
 */
export async function underAudit(
  options: AuditOptions,
  hit: (counts: Readonly<RequestCounts>) => Promise<void>,
): Promise<Audited> {
  const { installation, requestsPerSecond, random, say, isUnlimited = false } = options;
  const ownReceipts = join(installation.dataDirectory, 'simulator', 'receipts.jsonl');
  const { receiptsFile = ownReceipts, mayLoseUnheard = false, settleMs, ocr } = options;
  const receiptsFiles = [receiptsFile, ...(ocr ? [ocr.receiptsFile] : [])];
  const limits = isUnlimited ? [] : keyLimitsUsd;
  const limited = await Promise.all(limits.map((limit) => issueKey(installation, limit)));
  const keys = [installation.bootstrap.api_key, ...limited] as const;
  await using ledger = openLedger(installation);
  const { books } = ledger;
  await using caps = watchCaps(books);
  await using conservation = watchConservation(installation);
  const hasFiles = ocr !== undefined;
  const sent = { instance: installation, keys, requestsPerSecond, hasFiles, random };
  const requests = startRequests(sent);
  try {
    await hit(requests.counts);
  } finally {
    await requests.stop();
  }
  say('the books are compared');
  const mayBeUnknown = (usageId: string) => mayLoseUnheard && requests.heard.isUnheard(usageId);
  const comparing = { books, installation, receiptsFiles, mayBeUnknown, settleMs };
  const compared = await comparedBooks(comparing);
  const count = async () => {
    const rows = await books.rows();
    const customersNanoUsd = rows.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0n);
    return { rows: rows.length, customersNanoUsd };
  };
  const calls = await books.calls('service:shell');
  const { overspendNanoUsd, looks: capLooks } = caps.seen;
  const findings = [
    ...compared.findings,
    ...(await conservationAtRest(installation, count)),
    ...(await analyticsAtRest(installation, async () => (await count()).customersNanoUsd)),
    ...conservation.seen.findings,
    ...requests.findings,
    ...missingCalls(requests.commands, calls),
  ];
  if (overspendNanoUsd > 0n) findings.push(`overspent by ${overspendNanoUsd}`);
  const seen = {
    overspendNanoUsd,
    capLooks,
    conservationLooks: conservation.seen.looks,
    commands: requests.commands.size,
  };
  return { ...requests.counts, ...compared, ...seen, findings };
}

/** A free call has no intent, but the end of its answer waits for its row: what a client saw is in the books. */
function missingCalls(
  seen: ReadonlyMap<string, number>,
  counted: ReadonlyMap<string, number>,
): readonly string[] {
  return [...seen].flatMap(([generationId, commands]) => {
    const rows = counted.get(generationId) ?? 0;
    if (rows === commands) return [];
    return [`${generationId} showed ${commands} commands of the sandbox and has ${rows} rows`];
  });
}

/** Returns the numbers of an audit that each last line has. */
export function numbersOf(audited: Audited) {
  return {
    requests: audited.requests,
    receipts: audited.receipts,
    usage_rows: audited.usageRows,
    lost: audited.lost,
    unknown: audited.unknown,
    double: audited.double,
    customers_nano: String(audited.customersNanoUsd),
    billed_nano: String(audited.billedNanoUsd),
    receipt_nano: String(audited.receiptNanoUsd),
    overspend_nano: String(audited.overspendNanoUsd),
  };
}

/** Opens the books of an installation's ledger. */
export function openLedger({ postgresUrl: url }: Installation) {
  const database = openDatabase({ url, schema: 'ledger', connectionsMax });
  return { database, books: booksOf(database), [Symbol.asyncDispose]: () => database.stop() };
}

/** Looks at the limits again and again: a cap holds at every instant, not just when all is settled. */
export function watchCaps(books: Books) {
  /** A database that is away cannot be looked at. */
  const seen = { looks: 0, overspendNanoUsd: 0n };
  const watch = watching(capsPollMs, async () => {
    const over = await books.overspendNanoUsd().catch(() => undefined);
    if (over === undefined) return;
    seen.looks++;
    if (over > seen.overspendNanoUsd) seen.overspendNanoUsd = over;
  });
  return { seen, [Symbol.asyncDispose]: () => watch[Symbol.asyncDispose]() };
}

async function issueKey(installation: Installation, limit: number): Promise<string> {
  const key = installation.bootstrap.management_key;
  const body = { name: `limited to ${limit}`, limit };
  const answer = await sendUntilServed(installation, {
    method: 'POST',
    path: '/v1/keys',
    key,
    body,
  });
  const issued = textAt(answer.json, 'key');
  if (issued === '') throw new Error(`no key was issued: ${reasonOf(answer)}`);
  return issued;
}
