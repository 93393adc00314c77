import { setTimeout as delay } from 'node:timers/promises';
import { SetupProblem } from '@sluice/embedded';

const readyTimeoutMs = 180_000;
const askTimeoutMs = 2_000;
const pollMs = 50;

/** Resolves when the service at the admin address says that it can serve. Throws SetupProblem after 3 min. */
export async function untilReady(name: string, adminUrl: string, logFile: string): Promise<void> {
  const deadlineMs = performance.now() + readyTimeoutMs;
  while (!(await isReady(adminUrl))) {
    if (performance.now() > deadlineMs)
      throw new SetupProblem(`${name} was not ready within 3 min: ${logFile} says why.`);
    await delay(pollMs);
  }
}

async function isReady(adminUrl: string): Promise<boolean> {
  return fetch(`${adminUrl}/readyz`, { signal: AbortSignal.timeout(askTimeoutMs) }).then(
    ({ ok }) => ok,
    () => false,
  );
}
