export interface TimedEvent {
  readonly atMs: number;
  readonly run: () => void;
  /** True: it is passed over. */
  isCancelled: boolean;
}

interface Queued extends TimedEvent {
  readonly order: number;
}

/** A queue of events by time. Events of the same instant come in the order in which they were added. */
export class EventQueue {
  readonly #heap: Queued[] = [];
  #order = 0;

  add(atMs: number, run: () => void): TimedEvent {
    const event: Queued = { atMs, run, isCancelled: false, order: this.#order++ };
    const heap = this.#heap;
    let index = heap.push(event) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(event, heap[parent] as Queued)) break;
      heap[index] = heap[parent] as Queued;
      index = parent;
    }
    heap[index] = event;
    return event;
  }

  take(): TimedEvent | undefined {
    for (;;) {
      const event = this.#shift();
      if (!event?.isCancelled) return event;
    }
  }

  #shift(): Queued | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Queued, heap[child] as Queued))
        child += 1;
      if (!isBefore(heap[child] as Queued, last)) break;
      heap[index] = heap[child] as Queued;
      index = child;
    }
    heap[index] = last;
    return first;
  }
}

function isBefore(a: Queued, b: Queued): boolean {
  return a.atMs === b.atMs ? a.order < b.order : a.atMs < b.atMs;
}
