/** A notice of the bus about a key whose state no answer has shown yet. */
export interface KeyNotice {
  readonly hash: string;
  /** Revision of the key's last event; undefined: not said. */
  readonly revision?: bigint | undefined;
  /** The key was disabled or deleted, and not enabled again. */
  readonly isRevoked: boolean;
}

/** A notice whose change no answer has shown yet. */
export interface PendingNotice {
  /** An answer of an earlier revision is older than the notice. */
  readonly revision: bigint | undefined;
  /** A revocation was heard, and no answer of its revision or a later one since. */
  readonly wasRevoked: boolean;
  /** The last that was heard is the revocation: the key is refused without a question. */
  readonly isRevoked: boolean;
  readonly heardAtMs: number;
}

const noticesMax = 10_000;

/** The notices that wait for an answer of their revision. Bounded in number: the oldest goes first. */
export class KeyNotices {
  readonly #pending = new Map<string, PendingNotice>();
  readonly #dropped: (hash: string) => void;

  /** `dropped` is told of a notice that had to go: what is remembered of its key must go, too. */
  constructor(dropped: (hash: string) => void) {
    this.#dropped = dropped;
  }

  get(hash: string): PendingNotice | undefined {
    return this.#pending.size === 0 ? undefined : this.#pending.get(hash);
  }

  /** Neither order nor repetition matters where revisions are said. False: it says nothing new. */
  add({ hash, revision, isRevoked }: KeyNotice, heardAtMs: number): boolean {
    const before = this.#pending.get(hash);
    if (isOlder(revision, before?.revision)) return false;
    const isSame = before !== undefined && revision !== undefined && revision === before.revision;
    this.#pending.delete(hash);
    this.#pending.set(hash, {
      revision: revision ?? before?.revision,
      wasRevoked: isRevoked || (before?.wasRevoked ?? false),
      isRevoked: isRevoked || (isSame && before.isRevoked),
      heardAtMs,
    });
    this.#dropOldest();
    return true;
  }

  /** The key was answered as of the notice, or nothing more is expected of it. */
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
