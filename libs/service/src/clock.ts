import { randomFillSync } from 'node:crypto';
import { v5, v7 } from 'uuid';

/** Time and ids come from here and nowhere else: a simulation passes its own. */
export interface Clock {
  now(): Date;
}

export interface Ids {
  /** A UUID v7: ordered by time. */
  next(): string;
}

export const systemClock: Clock = { now: () => new Date() };
const randomBytesPerId = 16;
const randomPoolBytes = 4_096;
const sequenceMax = 0xffff_ffff;

/** Randomness is fetched for many ids at once: asking the system for each costs more than all the rest. */
function createIds(): Ids {
  const pool = new Uint8Array(randomPoolBytes);
  let used = randomPoolBytes;
  let msecs = 0;
  let sequence = 0;
  return {
    next() {
      if (used === randomPoolBytes) {
        randomFillSync(pool);
        used = 0;
      }
      const random = pool.subarray(used, (used += randomBytesPerId));
      const now = Date.now();
      // Within a millisecond, and while a clock stands still or goes back, the sequence keeps the order.
      if (now > msecs)
        [msecs, sequence] = [
          now,
          new DataView(random.buffer, random.byteOffset).getUint32(6) >>> 1,
        ];
      else if (sequence === sequenceMax) [msecs, sequence] = [msecs + 1, 0];
      else sequence += 1;
      return v7({ random, msecs, seq: sequence });
    },
  };
}

export const systemIds: Ids = createIds();

const eventNamespace = '6ba7b812-9dad-11d1-80b4-00c04fd430c8';

/** The id of the n-th event of a command: the same whenever the command is tried again. */
export function eventId(commandId: string, index: number): string {
  return v5(`${commandId}/${index}`, eventNamespace);
}

/** A UUID that is a function of its parts: the same request, sent again, is the same command. */
export function derivedId(...parts: readonly string[]): string {
  return v5(JSON.stringify(parts), eventNamespace);
}
