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
  const random = Buffer.alloc(bytesPerId);
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
      pool.copy(random, 0, used, used + bytesPerId);
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

const digits = Buffer.from('0123456789abcdef');
const dash = 0x2d;
const dashesBefore: ReadonlySet<number> = new Set([4, 6, 8, 10]);
const text = Buffer.alloc(36);

/** Writes an id as the package does, which joins 36 texts for it. */
function textOf(id: Buffer): string {
  let end = 0;
  for (let at = 0; at < bytesPerId; at += 1) {
    if (dashesBefore.has(at)) text[end++] = dash;
    const byte = id[at] ?? 0;
    text[end++] = digits[byte >> 4] ?? 0;
    text[end++] = digits[byte & 15] ?? 0;
  }
  return text.toString('latin1', 0, end);
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
