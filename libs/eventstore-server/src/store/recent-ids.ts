import { Generations } from './generations.ts';

/** Ids of the newest events, for writers that name no revision. Empty after a restart. */
export class RecentIds {
  readonly #ordinals: Generations<string, number>;

  constructor(countMax: number) {
    this.#ordinals = new Generations(countMax, () => 1);
  }

  add(streamNumber: number, id: Buffer, ordinal: number): void {
    this.#ordinals.set(keyOf(streamNumber, id), ordinal);
  }

  find(streamNumber: number, id: Buffer): number | undefined {
    return this.#ordinals.get(keyOf(streamNumber, id));
  }

  /** Forgets events that never reached the disk. */
  forgetFrom(ordinal: number): void {
    this.#ordinals.deleteWhere((_key, known) => known >= ordinal);
  }
}

function keyOf(streamNumber: number, id: Buffer): string {
  return `${streamNumber} ${id.toString('latin1')}`;
}
