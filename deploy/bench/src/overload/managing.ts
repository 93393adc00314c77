import { watching } from '@sluice/testing/watching';
import { createClient } from '../management/client.ts';
import { percentile } from '../percentile.ts';
import type { Subject } from '../subjects/subject.ts';

/** The answers to the management client. */
export interface ManagementFigures {
  readonly managementAnswered: number;
  readonly managementFailed: number;
  readonly management_p99Ms: number;
}

export interface Managing {
  /** Asks no more and says what came of it. */
  stop(): Promise<ManagementFigures>;
}

const gapMs = 50;

/**
 * Starts a management client that lists keys during the overload, one request after the other. Returns undefined for a
 * subject without management.
 */
export function startManaging({ management }: Pick<Subject, 'management'>): Managing | undefined {
  if (!management) return undefined;
  const client = createClient(management.url, management.key);
  const took: number[] = [];
  let failed = 0;
  const asking = watching(gapMs, async () => {
    const beganMs = performance.now();
    try {
      await client.send('GET', '/keys');
      took.push(performance.now() - beganMs);
    } catch {
      failed += 1;
    }
  });
  return {
    async stop() {
      await asking[Symbol.asyncDispose]();
      await client.stop();
      return {
        managementAnswered: took.length,
        managementFailed: failed,
        management_p99Ms: percentile(took, 0.99),
      };
    },
  };
}
