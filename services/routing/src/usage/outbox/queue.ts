const compactAt = 1_024;

/** First in, first out, at constant cost. */
export class Queue<Item> {
  /** A taken item is undefined, so it is not kept until the next compaction. */
  #items: (Item | undefined)[] = [];
  #head = 0;

  static of<Item>(items: Item[]): Queue<Item> {
    const queue = new Queue<Item>();
    queue.#items = items;
    return queue;
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  shift(): Item | undefined {
    const item = this.#items[this.#head];
    if (item === undefined) return undefined;
    this.#items[this.#head] = undefined;
    this.#head += 1;
    if (this.#head >= compactAt && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  get first(): Item | undefined {
    return this.#items[this.#head];
  }

  all(): readonly Item[] {
    return this.#items.slice(this.#head) as Item[];
  }
}
