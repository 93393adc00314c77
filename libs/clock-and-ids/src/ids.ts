import { randomFillSync } from 'node:crypto';
import { v5 } from 'uuid';

/** Ids come from here and nowhere else: a simulation passes its own. */
export interface Ids {
  /** A UUID v7: ordered by time. */
  next(): string;
}

/** Randomness is fetched for many ids at once: asking the system for each costs more than all the rest. */
const randomPoolBytes = 4_096;
/** 4 bytes for where the sequence of a millisecond begins, 6 for the id. */
const randomBytesPerId = 10;
const sequenceMax = 0xffff_ffff;
const digits = Buffer.from('0123456789abcdef');

/** The text of one id after the other, in one place: `tttttttt-tttt-7sss-vsss-srrrrrrrrrrr`. */
class UuidText {
  readonly #text = Buffer.from('00000000-0000-7000-8000-000000000000');

  setByte(place: number, byte: number): void {
    this.#text[place] = digits[byte >>> 4] ?? 0;
    this.#text[place + 1] = digits[byte & 0x0f] ?? 0;
  }

  /** The first 48 bits. */
  setTime(ms: number): void {
    const high = Math.floor(ms / 0x1_0000);
    this.setByte(0, high >>> 24);
    this.setByte(2, (high >>> 16) & 0xff);
    this.setByte(4, (high >>> 8) & 0xff);
    this.setByte(6, high & 0xff);
    this.setByte(9, (ms / 0x100) & 0xff);
    this.setByte(11, ms & 0xff);
  }

  /** 32 bits around the version and the variant; the last two of their last byte are not its own. */
  setSequence(sequence: number, lastBits: number): void {
    this.setByte(14, 0x70 | (sequence >>> 28));
    this.setByte(16, (sequence >>> 20) & 0xff);
    this.setByte(19, 0x80 | ((sequence >>> 14) & 0x3f));
    this.setByte(21, (sequence >>> 6) & 0xff);
    this.setByte(24, ((sequence << 2) & 0xfc) | lastBits);
  }

  read(): string {
    return this.#text.toString('latin1');
  }
}

function createIds(): Ids {
  const pool = Buffer.alloc(randomPoolBytes);
  const text = new UuidText();
  let used = randomPoolBytes;
  let ms = 0;
  let sequence = 0;
  return {
    next() {
      if (used + randomBytesPerId > randomPoolBytes) {
        randomFillSync(pool);
        used = 0;
      }
      const now = Date.now();
      // Within a millisecond, and while a clock stands still or goes back, the sequence keeps the order.
      if (now > ms) {
        ms = now;
        sequence = pool.readUInt32BE(used) >>> 1;
        text.setTime(ms);
      } else if (sequence === sequenceMax) {
        ms += 1;
        sequence = 0;
        text.setTime(ms);
      } else sequence += 1;
      const random = used + 4;
      text.setSequence(sequence, (pool[random] ?? 0) & 0x03);
      for (let byte = 1; byte < 6; byte++) text.setByte(24 + 2 * byte, pool[random + byte] ?? 0);
      used += randomBytesPerId;
      return text.read();
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
