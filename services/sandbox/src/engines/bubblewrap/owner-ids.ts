/** Ids that neither Debian, systemd nor containers give to anybody: https://systemd.io/UIDS-GIDS (60578 to 61183). */
const firstId = 60_578;
const idsMax = 600;

/**
 * The users of this machine that boxes belong to. Root gives each box a user of its own, which owns nothing else; a
 * process of another user runs its boxes as itself.
 */
export class OwnerIds {
  readonly #isRoot: boolean;
  readonly #taken = new Set<number>();
  #next = 0;

  constructor(isRoot: boolean) {
    this.#isRoot = isRoot;
  }

  /** Throws when all are taken. */
  take(): { readonly uid: number; readonly gid: number } | undefined {
    if (!this.#isRoot) return undefined;
    for (let tried = 0; tried < idsMax; tried++) {
      const id = firstId + (this.#next++ % idsMax);
      if (this.#taken.has(id)) continue;
      this.#taken.add(id);
      return { uid: id, gid: id };
    }
    throw new Error('all users for sandboxes are taken');
  }

  free(owner: { readonly uid: number } | undefined): void {
    if (owner) this.#taken.delete(owner.uid);
  }
}
