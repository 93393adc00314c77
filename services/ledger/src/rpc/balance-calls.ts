import { Fault, invalidValue } from '@sluice/errors';
import type { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import type { Database } from '@sluice/read-model';
import type { Calls } from '@sluice/rpc';
import { isInstant } from '@sluice/usage-facts';
import { freeRequestLimit } from '../domain/limit/free-requests.ts';
import { windowAt } from '../domain/window/window.ts';
import { readCredits } from '../queries/read-credits.ts';
import { readKeyUsage } from '../queries/read-key-usage.ts';
import { readPastCredits } from '../queries/read-past-credits.ts';
import { readPastKeyUsage } from '../queries/read-past-key-usage.ts';
import type { WindowStarts } from '../queries/window-starts.ts';
import { refuseArchivedInstant } from '../store/archived-days.ts';

const keyHashesMax = 100;

/** Answers what accounts have and what keys have used, now or as it was known at an instant. */
export function balanceCalls(
  database: Database,
): Pick<Calls<typeof LedgerServiceService>, 'getCredits' | 'getKeyUsage'> {
  return {
    async getCredits({ accountId, at }) {
      if (at !== undefined) {
        requireInstant(at);
        await refuseArchivedInstant(database, at);
        const credits = await readPastCredits(database, { accountId, at });
        return { ...credits, freeRequestsToday: undefined };
      }
      const { freeRequestsToday: used, ...credits } = await readCredits(database, accountId);
      const limit = freeRequestLimit('daily', credits.purchasedNanoUsd);
      return { ...credits, freeRequestsToday: { limit, used } };
    },
    async getKeyUsage({ accountId, keyHashes, at, asOf = false }) {
      if (keyHashes.length > keyHashesMax)
        throw new Fault('invalid_request', { message: `At most ${keyHashesMax} keys at once` });
      requireInstant(at);
      if (asOf) {
        await refuseArchivedInstant(database, at);
        const usages = await readPastKeyUsage(database, { accountId, keyHashes, at });
        return {
          usages: usages.map(({ lastUsedAt, ...usage }) => ({
            ...usage,
            lastUsedAt: lastUsedAt?.toISOString(),
          })),
        };
      }
      const starts = windowStarts(new Date(at));
      return { usages: [...(await readKeyUsage(database, { accountId, keyHashes, starts }))] };
    },
  };
}

function requireInstant(at: string): void {
  if (!isInstant(at)) throw invalidValue('at', 'must be an instant in UTC');
}

function windowStarts(instant: Date): WindowStarts {
  const start = (kind: keyof WindowStarts) => windowAt(kind, instant).start;
  return {
    lifetime: start('lifetime'),
    daily: start('daily'),
    weekly: start('weekly'),
    monthly: start('monthly'),
  };
}
