/** Values that share all but their last bits are counted together: a value is off by less than one in 128. */
const exactBits = 8;
const half = 1 << (exactBits - 1);
const microsecondsMax = 2 ** 31 - 1;
const slots = slotOf(microsecondsMax) + 1;

/** The form sent to another process: `[slot, count]` for each slot that is not empty. */
export type HistogramSlots = readonly (readonly [slot: number, count: number])[];

/** Latencies, from a microsecond to half an hour, in memory that does not grow with their number. */
export class Histogram {
  readonly #counts = new Float64Array(slots);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  record(microseconds: number): void {
    const bounded = Math.min(microsecondsMax, Math.max(0, Math.round(microseconds)));
    const slot = slotOf(bounded);
    this.#counts[slot] = (this.#counts[slot] ?? 0) + 1;
    this.#count += 1;
  }

  /** Adds what another one counted. */
  add(other: HistogramSlots): void {
    for (const [slot, count] of other) {
      this.#counts[slot] = (this.#counts[slot] ?? 0) + count;
      this.#count += count;
    }
  }

  /** The value in ms that this share (0 to 1) of all does not exceed; NaN of nothing. */
  percentileMs(share: number): number {
    if (this.#count === 0) return Number.NaN;
    const rank = Math.max(1, Math.ceil(share * this.#count));
    let seen = 0;
    for (let slot = 0; slot < slots; slot += 1) {
      seen += this.#counts[slot] ?? 0;
      if (seen >= rank) return middleOf(slot) / 1_000;
    }
    return middleOf(slots - 1) / 1_000;
  }

  slots(): HistogramSlots {
    const filled: (readonly [number, number])[] = [];
    for (const [slot, count] of this.#counts.entries()) if (count > 0) filled.push([slot, count]);
    return filled;
  }
}

/** Returns the slot of a duration. Each microsecond up to 255 has its own slot, and then each doubling has 128. */
function slotOf(microseconds: number): number {
  const shift = Math.max(0, 32 - exactBits - Math.clz32(microseconds));
  return shift * half + (microseconds >>> shift);
}

function middleOf(slot: number): number {
  const shift = Math.max(0, Math.floor(slot / half) - 1);
  const first = (slot - shift * half) * 2 ** shift;
  return first + (2 ** shift - 1) / 2;
}
