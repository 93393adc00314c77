import type { Readable } from 'node:stream';

/** The place of a file. Each part is an id: letters, digits, `_` and `-`. */
export interface FileKey {
  readonly accountId: string;
  readonly workspaceId: string;
  readonly fileId: string;
}

export interface PutOptions {
  readonly bytesMax: number;
}

/** A part of a content. */
export interface ByteRange {
  readonly offset: number;
  /** From 1 on. The part ends before it where the content ends. */
  readonly length: number;
}

export interface StoredFile {
  readonly bytes: number;
  /** SHA-256 of the content, hex. */
  readonly sha256: string;
}

/** `too_large`: the content exceeds the bound. `empty`: it has no byte. Nothing is stored. */
export type PutFailure = 'too_large' | 'empty';

/** Stores the contents of files. A content is written once and never changed. */
export interface FileStore {
  /**
   * Stores a content as it comes. It is durable when the promise resolves. Rejects with StoreUnavailable, or with the
   * error of the content.
   */
  put(
    key: FileKey,
    content: AsyncIterable<Uint8Array>,
    options: PutOptions,
  ): Promise<StoredFile | PutFailure>;
  /**
   * Returns a stream of the content or of a part of it, or undefined if there is no content. Rejects with
   * StoreUnavailable.
   */
  open(key: FileKey, range?: ByteRange): Promise<Readable | undefined>;
  /** Removes a content. One that there is not is removed already. Rejects with StoreUnavailable. */
  remove(key: FileKey): Promise<void>;
}

/** The store did not do it. The message names no secret. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

const idForm = /^[A-Za-z0-9_-]{1,128}$/;

/** Returns the parts of the place. Throws a TypeError for a part that is no id, since it could leave the folder. */
export function partsOf({ accountId, workspaceId, fileId }: FileKey): readonly string[] {
  const parts = [accountId, workspaceId, fileId];
  if (parts.every((part) => idForm.test(part))) return parts;
  throw new TypeError('A file is named by ids alone');
}
