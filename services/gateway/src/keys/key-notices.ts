/** A notice of the bus about a key whose state no answer has shown yet. */
export interface KeyNotice {
  readonly hash: string;
  /** Revision of the key's last event; undefined if the notice has none. */
  readonly revision?: bigint | undefined;
  /** The key was disabled or deleted, and not enabled again. */
  readonly isRevoked: boolean;
}

/** A notice whose change no answer has shown yet. */
export interface PendingNotice {
  /** An answer of an earlier revision is older than the notice. */
  readonly revision: bigint | undefined;
  /** True if no answer of the revocation's revision or a later one came since. */
  readonly wasRevoked: boolean;
  /** True if the latest notice is the revocation. The key is then refused without a call. */
  readonly isRevoked: boolean;
  readonly receivedAtMs: number;
}

const noticesMax = 10_000;

/** Holds the notices that wait for an answer of their revision. Drops the oldest beyond a bound. */
export class KeyNotices {
  readonly #pending = new Map<string, PendingNotice>();
  readonly #dropped: (hash: string) => void;

  /** Calls `dropped` for a notice that it drops, so that the cache drops the key, too. */
  constructor(dropped: (hash: string) => void) {
    this.#dropped = dropped;
  }

  get(hash: string): PendingNotice | undefined {
    return this.#pending.size === 0 ? undefined : this.#pending.get(hash);
  }

  /** Adds a notice in any order, any number of times. Returns false if it is older than a known one. */
  add({ hash, revision, isRevoked }: KeyNotice, receivedAtMs: number): boolean {
    const before = this.#pending.get(hash);
    if (isOlder(revision, before?.revision)) return false;
    const isSame = before !== undefined && revision !== undefined && revision === before.revision;
    this.#pending.delete(hash);
    this.#pending.set(hash, {
      revision: revision ?? before?.revision,
      wasRevoked: isRevoked || (before?.wasRevoked ?? false),
      isRevoked: isRevoked || (isSame && before.isRevoked),
      receivedAtMs,
    });
    this.#dropOldest();
    return true;
  }

  /** Removes the notice of a key that was answered, or of which no answer is expected. */
  settle(hash: string): void {
    this.#pending.delete(hash);
  }

  #dropOldest(): void {
    const [oldest] = this.#pending.keys();
    if (this.#pending.size <= noticesMax || oldest === undefined) return;
    this.#pending.delete(oldest);
    this.#dropped(oldest);
  }
}

function isOlder(revision: bigint | undefined, than: bigint | undefined): boolean {
  return revision !== undefined && than !== undefined && revision < than;
}
