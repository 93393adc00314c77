/**
 * A bounded map in two generations: when the young one is full it becomes the old one, and the old
 * one is dropped whole. A Map that forgets its oldest key one by one gets slow: it leaves holes.
 */
export class Generations<Key, Value> {
  readonly #weightMax: number;
  readonly #weigh: (value: Value) => number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();
  #youngWeight = 0;

  /** Holds at most `weightMax`, and at least the newest half of it. */
  constructor(weightMax: number, weigh: (value: Value) => number) {
    this.#weightMax = weightMax;
    this.#weigh = weigh;
  }

  get(key: Key): Value | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  set(key: Key, value: Value): void {
    const weight = this.#weigh(value);
    if (this.#youngWeight + weight > this.#weightMax / 2) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngWeight = 0;
    }
    this.#young.set(key, value);
    this.#youngWeight += weight;
  }

  deleteWhere(isGone: (key: Key, value: Value) => boolean): void {
    for (const generation of [this.#young, this.#old])
      for (const [key, value] of generation) if (isGone(key, value)) generation.delete(key);
  }
}
