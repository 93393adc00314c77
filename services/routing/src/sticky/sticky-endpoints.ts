interface Entry {
  readonly endpointId: string;
  readonly usedAtMs: number;
}

const idleMs = 600_000;
const entriesMax = 100_000;

/** Which endpoint served a conversation last: known to this replica, for ten minutes after its last answer. */
export class StickyEndpoints {
  readonly #nowMs: () => number;
  /** The longest unused first. */
  readonly #entries = new Map<string, Entry>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  find(accountId: string, modelId: string, conversation: string): string | undefined {
    const key = keyOf(accountId, modelId, conversation);
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (this.#nowMs() - entry.usedAtMs <= idleMs) return entry.endpointId;
    this.#entries.delete(key);
    return undefined;
  }

  /** A conversation was served; an answer of another endpoint takes its place. */
  served(accountId: string, modelId: string, conversation: string, endpointId: string): void {
    const key = keyOf(accountId, modelId, conversation);
    this.#entries.delete(key);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size >= entriesMax && oldest !== undefined) this.#entries.delete(oldest);
    this.#entries.set(key, { endpointId, usedAtMs: this.#nowMs() });
  }

  get size(): number {
    return this.#entries.size;
  }
}

function keyOf(accountId: string, modelId: string, conversation: string): string {
  return `${accountId} ${modelId} ${conversation}`;
}
