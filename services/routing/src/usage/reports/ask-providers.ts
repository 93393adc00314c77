import { setTimeout as delay } from 'node:timers/promises';
import type { Endpoint, ServedUsage, UsageLookup } from '@sluice/providers';
import type { Estimate } from '@sluice/protos/sluice/ledger/v1/ledger';
import type { Logger } from '@sluice/logging';
import type { Catalog } from '@sluice/catalog';
import type { LedgerCalls } from '../../clients/ledger-calls.ts';
import type { Replica } from '../journal/replica.ts';

export interface AskOptions {
  readonly ledger: Pick<LedgerCalls, 'listEstimates' | 'correctUsage'>;
  readonly lookup: UsageLookup;
  readonly catalog: Pick<Catalog, 'find'>;
  readonly replica: Replica;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly intervalMs?: number;
}

const intervalMsDefault = 2_000;
/** Estimates per round. The ledger returns those with the largest suspense first. */
const estimatesMax = 500;
const lookupTimeoutMs = 10_000;
/**
 * Lookups per estimate, over 28 hours: longer than the ledger leaves the amount in the customer's suspense by default.
 * Later only receipts or the next run of this replica can correct it.
 */
const attemptsMax = 40;
const backoffMsMin = 1_000;
const backoffMsMax = 3_600_000;

/** The number of lookups of an estimate, and the time of the next one. */
interface Asked {
  readonly attempts: number;
  readonly nextAtMs: number;
}

/**
 * Looks up this replica's estimates at providers that store answers, and reports the usage to the ledger. Runs in the
 * background. The number of lookups per estimate is bounded.
 */
export async function askProviders(options: AskOptions): Promise<void> {
  const { logger, signal, intervalMs = intervalMsDefault } = options;
  const asked = new Map<string, Asked>();
  let isAway = false;
  while (!signal.aborted) {
    try {
      await askOnce(options, asked);
      isAway = false;
    } catch (error) {
      if (!isAway && !signal.aborted)
        logger.warn('estimates of usage cannot be corrected now', { error });
      isAway = true;
    }
    await delay(intervalMs, undefined, { signal }).catch(() => {});
  }
}

async function askOnce(options: AskOptions, asked: Map<string, Asked>): Promise<void> {
  const { ledger, replica, signal } = options;
  const { estimates } = await ledger.listEstimates({ replica: replica.id, limit: estimatesMax });
  const open = new Set(estimates.map(({ usageId }) => usageId));
  for (const usageId of asked.keys()) if (!open.has(usageId)) asked.delete(usageId);
  for (const estimate of estimates) {
    if (signal.aborted) return;
    const before = asked.get(estimate.usageId) ?? { attempts: 0, nextAtMs: 0 };
    if (before.attempts >= attemptsMax || performance.now() < before.nextAtMs) continue;
    const endpoint = endpointOf(options.catalog, estimate);
    if (!endpoint) continue;
    const waitMs = Math.min(backoffMsMax, backoffMsMin * 2 ** before.attempts);
    const next = { attempts: before.attempts + 1, nextAtMs: performance.now() + waitMs };
    asked.set(estimate.usageId, next);
    await ask(options, estimate, endpoint);
  }
}

/** Returns the endpoint that can report the usage of the estimate; undefined when none can. */
function endpointOf(catalog: AskOptions['catalog'], estimate: Estimate): Endpoint | undefined {
  if (estimate.upstreamId === '') return undefined;
  const endpoints = catalog.find(estimate.model)?.endpoints ?? [];
  const priced = endpoints.find(({ id }) => id === estimate.endpointId);
  return priced?.endpoint.keepsAnswers === true ? priced.endpoint : undefined;
}

async function ask(
  { ledger, lookup, logger, signal }: AskOptions,
  { accountId, usageId, upstreamId }: Estimate,
  endpoint: Endpoint,
): Promise<void> {
  let served: ServedUsage;
  try {
    served = await lookup.lookUp(endpoint, upstreamId, { signal, timeoutMs: lookupTimeoutMs });
  } catch (error) {
    if (!signal.aborted) logger.warn('a provider does not say what it served', { usageId, error });
    return;
  }
  if (served.type !== 'served') return;
  const { usage, isFailed: isFree } = served;
  await ledger.correctUsage({
    accountId,
    usageId,
    upstreamId,
    inputTokens: BigInt(usage.inputTokens),
    cachedTokens: BigInt(usage.cachedTokens),
    outputTokens: BigInt(usage.outputTokens),
    reasoningTokens: BigInt(usage.reasoningTokens),
    webSearches: BigInt(usage.webSearches ?? 0),
    isFree,
  });
  logger.info('an estimate was corrected by its provider', { usageId });
}
