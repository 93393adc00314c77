import { setTimeout as delay } from 'node:timers/promises';
import type { Installation } from '../../parts/installation.ts';
import { settled } from '../../waiting.ts';
import { type Books, readReceipts } from './books.ts';
import { type Reconciled, reconcile } from './reconcile.ts';
import { tellReceipts } from './tell-receipts.ts';

const settleMsDefault = 120_000;
const pollMs = 1_000;
/** Routing itself may ask the provider for so long. */
const askingMs = 10_000;
/** Waits for a duplicate that would arrive late. */
const quietMs = 2_000;

export interface Comparing {
  readonly books: Books;
  readonly installation: Installation;
  /** The books of the other side: of the provider and its engines. */
  readonly receiptsFiles: readonly string[];
  /** Returns true for a call that a power cut may lose. No call is, if absent. */
  readonly mayBeUnknown?: ((usageId: string) => boolean) | undefined;
  /** Gives up when no usage has arrived for about so long. */
  readonly settleMs?: number | undefined;
}

/** The ledger's books beside the provider's. */
export interface Compared extends Reconciled {
  readonly receipts: number;
  readonly usageRows: number;
}

/**
 * Waits until all usage has arrived, and returns the last comparison. Estimates that routing cannot resolve with the
 * provider are corrected from the receipts. No estimate may be open afterwards.
 */
export async function comparedBooks(comparing: Comparing): Promise<Compared> {
  const { books, installation, receiptsFiles, mayBeUnknown } = comparing;
  const { settleMs = settleMsDefault } = comparing;
  const read = async () => (await Promise.all(receiptsFiles.map(readReceipts))).flat();
  const compare = async () => {
    const [receipts, rows] = [await read(), await books.rows()];
    const reconciled = reconcile(receipts, rows, mayBeUnknown);
    return { ...reconciled, receipts: receipts.length, usageRows: rows.length };
  };
  const startedMs = performance.now();
  const ask = async () => {
    const compared = await compare();
    if (!isSettled(compared) && performance.now() - startedMs > askingMs)
      await tellReceipts(installation, {
        receipts: await read(),
        rows: await books.rows(),
      });
    return compared;
  };
  // PostgreSQL, which was away a moment ago, may still recover: then the next question follows.
  await settled(ask, isSettled, { everyMs: pollMs, sameLooksMax: settleMs / pollMs });
  await delay(quietMs);
  const compared = await compare();
  const { open, billedNanoUsd, receiptNanoUsd } = compared;
  const findings = [...compared.findings, ...(await books.audit())];
  if (open > 0) findings.push(`${open} receipts have estimates for rows`);
  if (billedNanoUsd !== receiptNanoUsd)
    findings.push(`billed ${billedNanoUsd} in all where the receipts say ${receiptNanoUsd}`);
  return { ...compared, findings };
}

function isSettled(compared: Compared): boolean {
  return compared.findings.length === 0 && compared.open === 0;
}
