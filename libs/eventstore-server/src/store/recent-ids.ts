/** Ids of the newest events, for writers that name no revision. Empty after a restart. */
export class RecentIds {
  readonly #countMax: number;
  readonly #ordinals = new Map<string, number>();

  constructor(countMax: number) {
    this.#countMax = countMax;
  }

  add(streamNumber: number, id: Buffer, ordinal: number): void {
    const key = keyOf(streamNumber, id);
    this.#ordinals.delete(key);
    this.#ordinals.set(key, ordinal);
    if (this.#ordinals.size <= this.#countMax) return;
    const { value: oldest } = this.#ordinals.keys().next();
    if (oldest !== undefined) this.#ordinals.delete(oldest);
  }

  find(streamNumber: number, id: Buffer): number | undefined {
    return this.#ordinals.get(keyOf(streamNumber, id));
  }

  /** Forgets events that never reached the disk. */
  forgetFrom(ordinal: number): void {
    for (const [key, known] of this.#ordinals) if (known >= ordinal) this.#ordinals.delete(key);
  }
}

function keyOf(streamNumber: number, id: Buffer): string {
  return `${streamNumber} ${id.toString('latin1')}`;
}
