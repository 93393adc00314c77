/** A record that waits for the disk. */
export interface Pending {
  readonly payload: Uint8Array;
  /**
   * Called when the record is in the file, before the disk is waited for: it survives kill -9 from then on, but no
   * power cut.
   */
  readonly onWritten?: (() => void) | undefined;
  /**
   * Nothing waits for it yet, so it shares the sync of the next record that something waits for, within 10 ms. With
   * `onWritten` it is in the file meanwhile.
   */
  readonly canWait?: boolean | undefined;
  readonly resolve: (sequence: bigint) => void;
  readonly reject: (error: unknown) => void;
}

/** The state of the one writer of a spool. */
export interface CommitState {
  readonly queue: Pending[];
  /** Something waits for a record that is not of the sync in flight. */
  isUrgent: boolean;
  /** Ends the wait of the records that can. undefined: none waits. */
  endWait: (() => void) | undefined;
  /** Records in the file, behind those of the sync in flight. The next sync is theirs. */
  written: Pending[];
  writtenBytes: number;
  /** The records of the sync in flight. Empty: there is none. */
  syncing: readonly Pending[];
  /** Bytes in the file behind the end of its segment: of the sync in flight and of the next one. */
  unsyncedBytes: number;
  /** Writes the queue in this event loop tick, while the disk is busy. */
  early: NodeJS.Immediate | undefined;
  /** The failure of a write while the disk was busy. */
  error: Error | undefined;
  /** The buffer of the last write. undefined before the first. */
  scratch: Buffer | undefined;
  queuedBytes: number;
  next: bigint;
  durable: bigint;
  marked: bigint;
  /** The last sync was shared: so many come that waiting for more is worth it. */
  isShared: boolean;
  running: Promise<void> | undefined;
  idle: NodeJS.Timeout | undefined;
  failed: boolean;
}

/** Returns the state of a writer whose next record gets this sequence. */
export function stateAt(nextSequence: bigint): CommitState {
  const durable = nextSequence - 1n;
  return {
    queue: [],
    isUrgent: false,
    endWait: undefined,
    written: [],
    writtenBytes: 0,
    syncing: [],
    unsyncedBytes: 0,
    early: undefined,
    error: undefined,
    scratch: undefined,
    queuedBytes: 0,
    next: nextSequence,
    durable,
    marked: durable,
    isShared: false,
    running: undefined,
    idle: undefined,
    failed: false,
  };
}

/** Ends the wait of the records that can wait. */
export function hurry(state: CommitState): void {
  state.isUrgent = true;
  state.endWait?.();
}

/** Returns true while the writer waits for the disk, or for a record that cannot wait. */
export const isWaiting = ({ syncing, endWait }: CommitState) =>
  syncing.length > 0 || endWait !== undefined;
