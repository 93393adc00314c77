/** A data key under a key-encryption key. */
export interface WrappedKey {
  /** Which version of the key-encryption key wrapped it. */
  readonly keyVersion: string;
  readonly wrapped: Uint8Array;
}

/**
 * Holds the key-encryption keys, which never leave it. Every version is kept, so that what an old one
 * wrapped stays readable. Throws UnreadableEnvelope when a wrapped key cannot be opened, and Fault
 * unavailable while it cannot be asked.
 */
export interface KeyManagement {
  /** Under the newest version. Only the same associated data opens it. */
  wrap(dataKey: Uint8Array, associatedData: Uint8Array): Promise<WrappedKey>;
  unwrap(wrapped: WrappedKey, associatedData: Uint8Array): Promise<Uint8Array>;
  /** The version that wraps from now on. */
  newestVersion(): Promise<string>;
}

/** Why: altered, or sealed for another record; or the key-encryption key is there no more. */
export type UnreadableReason = 'tampered' | 'key_lost';

/** The envelope cannot be opened, now or ever. The error says nothing about its content. */
export class UnreadableEnvelope extends Error {
  override readonly name = 'UnreadableEnvelope';
  readonly reason: UnreadableReason;

  constructor(reason: UnreadableReason) {
    super(
      reason === 'tampered'
        ? 'a sealed secret was altered, or belongs to another record'
        : 'the key that a secret was sealed under is lost',
    );
    this.reason = reason;
  }
}
