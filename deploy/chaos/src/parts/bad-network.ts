import { setTimeout as delay } from 'node:timers/promises';
import { startFaultyWire } from '@sluice/testing/faulty-wire';
import type { Random } from '@sluice/testing/random';

const latencyMsMax = 30;
const faultPauseMs = { min: 1_000, max: 4_000 };
const blackHoleMs = 700;

/**
 * Puts a bad network in front of a server: bytes come late, connections break in the middle of a message, and now and
 * then all bytes are swallowed, both ways, until the connection is reset.
 */
export async function startBadNetwork(targetPort: number, random: Random) {
  const target = { host: '127.0.0.1', port: targetPort };
  const lateMs = () => random.next() ** 4 * latencyMsMax;
  const wire = await startFaultyWire(target, lateMs);
  const ending = new AbortController();
  const { signal } = ending;
  /** The number of times that all connections were broken, and that all bytes were swallowed. */
  const faults = { resets: 0, blackHoles: 0 };
  const disturbing = (async () => {
    for (;;) {
      await delay(random.between(faultPauseMs.min, faultPauseMs.max), undefined, { signal });
      if (random.next() < 0.5) {
        faults.blackHoles++;
        wire.swallow();
        await delay(blackHoleMs, undefined, { signal });
        wire.pass();
      }
      faults.resets++;
      wire.reset();
    }
  })().catch(() => undefined);
  return {
    port: wire.port,
    faults,
    async [Symbol.asyncDispose]() {
      ending.abort();
      await disturbing;
      wire.stop();
    },
  };
}
