import { setTimeout as delay } from 'node:timers/promises';
import type { Instance } from '@sluice/acceptance/instance';
import { Fault } from '@sluice/errors';
import { whileItChanges } from '../progress.ts';
import type { Surroundings } from '../crash/surroundings.ts';
import { type Books, readReceipts } from './books.ts';
import { type Reconciled, reconcile } from './reconcile.ts';
import { tellReceipts } from './tell-receipts.ts';

const settleTimeoutMsDefault = 120_000;
const settlePollMs = 1_000;
/** So long routing has to ask the provider itself. */
const askingMs = 10_000;
/** Waits for a duplicate that would arrive late. */
const quietMs = 2_000;

export interface Settling {
  readonly books: Books;
  readonly instance: Pick<Instance, 'bootstrap'>;
  readonly surroundings: Surroundings;
  readonly receiptsFile: string;
  /** Gives up when no usage has arrived for so long. */
  readonly settleTimeoutMs?: number | undefined;
}

/** Our books beside the provider's. */
export interface Compared extends Reconciled {
  readonly receipts: number;
  readonly usageRows: number;
}

/**
 * Waits until all usage has arrived, and returns the last comparison. Estimates that routing cannot resolve with the
 * provider are corrected from the receipts. No estimate may be open afterwards.
 */
export async function settled(settling: Settling): Promise<Compared> {
  const { books, instance, surroundings, receiptsFile } = settling;
  const { settleTimeoutMs = settleTimeoutMsDefault } = settling;
  const startedMs = performance.now();
  const ask = async () => {
    const compared = await compareIfUp(settling);
    if (compared && !isSettled(compared) && performance.now() - startedMs > askingMs)
      await tellReceipts(surroundings, instance.bootstrap.organization_id, {
        receipts: await readReceipts(receiptsFile),
        rows: await books.rows(),
      });
    return compared;
  };
  const patience = { quietMs: settleTimeoutMs, pollMs: settlePollMs };
  await whileItChanges(ask, isSettled, patience);
  await delay(quietMs);
  const compared = await compare(settling);
  const { open, billedNanoUsd, receiptNanoUsd } = compared;
  const findings = [...compared.findings, ...(await books.audit())];
  if (open > 0) findings.push(`${open} receipts have estimates for rows`);
  if (billedNanoUsd !== receiptNanoUsd)
    findings.push(`billed ${billedNanoUsd} in all where the receipts say ${receiptNanoUsd}`);
  return { ...compared, findings };
}

function isSettled(compared: Compared | undefined): boolean {
  return compared?.findings.length === 0 && compared.open === 0;
}

/** undefined: PostgreSQL, which was away a moment ago, still recovers. */
async function compareIfUp(settling: Settling): Promise<Compared | undefined> {
  try {
    return await compare(settling);
  } catch (error) {
    if (error instanceof Fault && error.code === 'read_model_unavailable') return undefined;
    throw error;
  }
}

async function compare({ books, receiptsFile }: Settling): Promise<Compared> {
  const [receipts, rows] = [await readReceipts(receiptsFile), await books.rows()];
  return { ...reconcile(receipts, rows), receipts: receipts.length, usageRows: rows.length };
}
