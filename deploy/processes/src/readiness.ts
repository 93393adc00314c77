import { setTimeout as delay } from 'node:timers/promises';
import { readinessAt } from '@sluice/local';

const slowStartMs = 15_000;
const pollMs = 50;

export interface Waiting {
  readonly name: string;
  readonly adminUrl: string;
  readonly logFile: string;
  readonly say: (line: string) => void;
}

/** Resolves when the service is ready. Reports a slow one once, with its reasons. */
export async function untilReady({ name, adminUrl, logFile, say }: Waiting): Promise<void> {
  const slowFromMs = performance.now() + slowStartMs;
  const told = new Set<string>();
  for (;;) {
    const readiness = await readinessAt(adminUrl);
    if (readiness?.isReady) return;
    if (performance.now() > slowFromMs) {
      const why = readiness?.reasons.join('; ') ?? `it does not answer, ${logFile} says why`;
      if (!told.has(why)) say(`  ${name} waits: ${why}`);
      told.add(why);
    }
    await delay(pollMs);
  }
}
