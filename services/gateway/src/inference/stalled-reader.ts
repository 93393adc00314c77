import type { ServerResponse } from 'node:http';

const checksPerTimeout = 4;

/**
 * Cuts a reply whose client has taken nothing for so long although something waits to be taken.
 * A reply that has nothing to send is not stalled, however long it waits for the model.
 */
export function cutStalledReader(response: ServerResponse, timeoutMs: number): void {
  let movedAtMs = performance.now();
  const moved = () => {
    movedAtMs = performance.now();
  };
  const timer = setInterval(() => {
    if (!response.writableNeedDrain) return moved();
    if (performance.now() - movedAtMs >= timeoutMs) response.destroy();
  }, timeoutMs / checksPerTimeout);
  response.on('drain', moved);
  response.once('close', () => clearInterval(timer));
}
