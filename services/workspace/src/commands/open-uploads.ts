import { Fault } from '@sluice/errors';
import { type FileKey, type FileStore, type PutFailure, type StoredFile } from '@sluice/file-store';

/** A file as the caller of its upload described it. */
export interface UploadedFile extends FileKey {
  readonly name: string;
  readonly mediaType: string;
}

interface OpenUpload {
  readonly file: UploadedFile;
  readonly parts: WritableStreamDefaultWriter<Uint8Array>;
  readonly stored: Promise<StoredFile | PutFailure>;
  /** Ends it when no part comes. */
  readonly idle: NodeJS.Timeout;
  bytes: bigint;
  isWriting: boolean;
}

/** A file has at most so many bytes. */
export const fileBytesMax = 100_000_000;
const openMax = 64;
const idleMs = 60_000;

/** The uploads of this process. Each content goes to the store as it comes. */
export class OpenUploads {
  readonly #store: Pick<FileStore, 'put'>;
  readonly #open = new Map<string, OpenUpload>();

  constructor(store: Pick<FileStore, 'put'>) {
    this.#store = store;
  }

  /** Calls `onIdle` if the upload ends because no part comes. Throws unavailable when there are too many. */
  begin(file: UploadedFile, onIdle: () => void): void {
    if (this.#open.has(file.fileId)) return;
    if (this.#open.size >= openMax) throw new Fault('unavailable', { retryAfterSeconds: 1 });
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const { accountId, workspaceId, fileId } = file;
    const key = { accountId, workspaceId, fileId };
    const stored = this.#store.put(key, readable, { bytesMax: fileBytesMax });
    // The calls that write or complete see it.
    stored.catch(() => undefined);
    const idle = setTimeout(() => {
      this.abandon(file);
      onIdle();
    }, idleMs);
    idle.unref();
    const parts = writable.getWriter();
    this.#open.set(fileId, { file, parts, stored, idle, bytes: 0n, isWriting: false });
  }

  /** Resolves when the store wants the next part. Throws conflict for a part that does not follow the one before. */
  async write(
    named: { readonly accountId: string; readonly fileId: string },
    { offset, content }: { readonly offset: bigint; readonly content: Uint8Array },
  ): Promise<void> {
    const upload = this.#find(named);
    if (upload.isWriting || offset !== upload.bytes)
      throw new Fault('conflict', { message: 'The parts of a file come one after the other' });
    upload.bytes += BigInt(content.length);
    upload.idle.refresh();
    if (upload.bytes > fileBytesMax) {
      this.abandon(named);
      throw tooLarge();
    }
    upload.isWriting = true;
    try {
      await upload.parts.write(content);
    } catch (error) {
      this.abandon(named);
      // The store has failed: its own error says more.
      await upload.stored;
      throw error;
    } finally {
      upload.isWriting = false;
    }
  }

  /** Resolves when the content is stored. Throws the error of the store. */
  async complete(named: {
    readonly accountId: string;
    readonly fileId: string;
  }): Promise<{ readonly file: UploadedFile; readonly stored: StoredFile | PutFailure }> {
    const { file, parts, stored, idle } = this.#find(named);
    clearTimeout(idle);
    this.#open.delete(named.fileId);
    parts.close().catch(() => undefined);
    return { file, stored: await stored };
  }

  /** Ends an upload without a file, and returns what it was. */
  abandon(named: {
    readonly accountId: string;
    readonly fileId: string;
  }): UploadedFile | undefined {
    const upload = this.#open.get(named.fileId);
    if (upload === undefined || upload.file.accountId !== named.accountId) return undefined;
    clearTimeout(upload.idle);
    this.#open.delete(named.fileId);
    upload.parts.abort(new Fault('not_found')).catch(() => undefined);
    return upload.file;
  }

  /** Ends all of them. */
  async stop(): Promise<void> {
    const all = [...this.#open.values()];
    for (const { file } of all) this.abandon(file);
    await Promise.allSettled(all.map(({ stored }) => stored));
  }

  #find({
    accountId,
    fileId,
  }: {
    readonly accountId: string;
    readonly fileId: string;
  }): OpenUpload {
    const upload = this.#open.get(fileId);
    if (upload?.file.accountId !== accountId)
      throw new Fault('not_found', { message: 'The upload has ended: begin a new one' });
    return upload;
  }
}

export function tooLarge(): Fault {
  return new Fault('payload_too_large', {
    message: `A file has at most ${fileBytesMax} bytes`,
  });
}
