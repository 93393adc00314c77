import type { Dialect, Served, StoredState } from './dialect.ts';
import type { OutputPart } from './generation.ts';
import type { Receipt } from './receipts.ts';

interface Stored {
  readonly dialect: Dialect;
  readonly served: Served;
  state: StoredState;
}

/** The oldest are forgotten beyond it. */
const storedMax = 30_000;
const statuses = {
  completed: 'completed',
  incomplete: 'incomplete',
  cut: 'incomplete',
  failed: 'failed',
  disconnected: 'cancelled',
} as const;

/** Answers that were sent to be stored: what became of them can be asked for by their id. */
export class Answers {
  readonly #stored = new Map<string, Stored>();

  begin(dialect: Dialect, served: Served): void {
    this.#stored.set(served.id, { dialect, served, state: { status: 'in_progress', parts: [] } });
    if (this.#stored.size <= storedMax) return;
    const [oldest] = this.#stored.keys();
    if (oldest !== undefined) this.#stored.delete(oldest);
  }

  end(id: string, outcome: Receipt['outcome'], parts: readonly OutputPart[]): void {
    const stored = this.#stored.get(id);
    if (stored) stored.state = { status: statuses[outcome], parts };
  }

  /** In the words of its dialect; undefined: there is none, or none yet. */
  find(id: string): object | undefined {
    const stored = this.#stored.get(id);
    return stored?.dialect.stored(stored.served, stored.state);
  }
}
