import { setTimeout as delay } from 'node:timers/promises';

const pollMs = 250;
const lagPattern = /^projection_lag_seconds\{.*projection="([^"]+)".*\} (\S+)/gm;

/**
 * Waits until every projection shows the newest event, or for so long. Answers how long that took, and of
 * those that are behind still, which.
 */
export async function caughtUp(
  adminUrl: string,
  timeoutMs: number,
): Promise<{ readonly tookMs: number; readonly behind: readonly string[] }> {
  const beganMs = performance.now();
  for (;;) {
    const text = await fetch(`${adminUrl}/metrics`).then((answer) => answer.text());
    const behind = [...text.matchAll(lagPattern)].flatMap(([, name = '', seconds]) =>
      Number(seconds) > 0 ? [name] : [],
    );
    const tookMs = performance.now() - beganMs;
    if (behind.length === 0 || tookMs > timeoutMs) return { tookMs, behind };
    await delay(pollMs);
  }
}
