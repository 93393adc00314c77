import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@sluice/logging';
import type { IssueAttempts } from '../store/issue-attempts.ts';

const sweepMs = 30_000;

/** Erases the secrets whose answers were never delivered, soon after their 10 minutes, until the signal aborts. */
export async function eraseKeptSecrets(
  attempts: Pick<IssueAttempts, 'eraseOldSecrets'>,
  { logger, signal }: { readonly logger: Pick<Logger, 'warn'>; readonly signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    await attempts.eraseOldSecrets().catch((error: unknown) => {
      logger.warn('kept secrets were not erased', { error });
    });
    await delay(sweepMs, undefined, { signal }).catch(() => undefined);
  }
}
