import { randomFillSync } from 'node:crypto';
import { v5, v7 } from 'uuid';

/** Ids come from here and nowhere else: a simulation passes its own. */
export interface Ids {
  /** A UUID v7: ordered by time. */
  next(): string;
}

/** Random bytes are fetched for 256 ids at once: a call per id takes several times as long as the rest. */
const idsPerPool = 256;
const bytesPerId = 16;
const sequenceMax = 0xffff_ffff;

function createIds(): Ids {
  const pool = Buffer.alloc(idsPerPool * bytesPerId);
  const id = Buffer.alloc(bytesPerId);
  let used = pool.length;
  let ms = 0;
  let sequence = 0;
  return {
    next() {
      if (used === pool.length) {
        randomFillSync(pool);
        used = 0;
      }
      const random = pool.subarray(used, used + bytesPerId);
      used += bytesPerId;
      const now = Date.now();
      // Within a millisecond, and while the clock stands still or goes back, the sequence keeps the order.
      if (now > ms) {
        ms = now;
        sequence = random.readUInt32BE() >>> 1;
      } else if (sequence === sequenceMax) {
        ms += 1;
        sequence = 0;
      } else sequence += 1;
      return textOf(v7({ random, msecs: ms, seq: sequence }, id));
    },
  };
}

/** Writes an id as the package does, which joins 36 texts for it. */
function textOf(id: Buffer): string {
  const hex = id.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
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
