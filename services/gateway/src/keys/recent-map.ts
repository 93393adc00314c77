/**
 * A map of at most so many entries. When half as many are new or were asked for since the last time,
 * those that were not go all at once: that takes no place for the order of each.
 */
export class RecentMap<Value> {
  readonly #generationMax: number;
  #recent = new Map<string, Value>();
  #before = new Map<string, Value>();

  /** At least 2. */
  constructor(entriesMax: number) {
    this.#generationMax = Math.floor(entriesMax / 2);
  }

  get size(): number {
    return this.#recent.size + this.#before.size;
  }

  has(name: string): boolean {
    return this.#recent.has(name) || this.#before.has(name);
  }

  get(name: string): Value | undefined {
    const found = this.#recent.get(name);
    if (found !== undefined) return found;
    const older = this.#before.get(name);
    if (older !== undefined) this.set(name, older);
    return older;
  }

  set(name: string, value: Value): void {
    this.#before.delete(name);
    if (this.#recent.size >= this.#generationMax && !this.#recent.has(name)) {
      this.#before = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(name, value);
  }

  delete(name: string): void {
    this.#recent.delete(name);
    this.#before.delete(name);
  }

  clear(): void {
    this.#recent.clear();
    this.#before.clear();
  }
}
