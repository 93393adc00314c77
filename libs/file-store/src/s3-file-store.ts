import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { makePrivateDirectory } from '@sluice/private-files';
import { AwsClient } from 'aws4fetch';
import {
  type ByteRange,
  type FileKey,
  type FileStore,
  partsOf,
  StoreUnavailable,
} from './file-store.ts';
import { spoolContent } from './spool-content.ts';

export interface S3FileStoreOptions {
  /** The endpoint, such as `https://s3.eu-central-1.amazonaws.com`. The bucket is a part of the path. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
  /** Begins the name of each object. None if absent. */
  readonly prefix?: string | undefined;
  /** The time for a part or a removal. 30 s if absent. */
  readonly timeoutMs?: number | undefined;
  /** A folder of this process alone: an upload rests there until its length and its hash are known. */
  readonly directory: string;
}

/** For a whole content over a slow line. */
const putTimeoutMs = 600_000;
const timeoutMsDefault = 30_000;
const hashOfNothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/**
 * Keeps contents in a bucket of S3 or of a server that speaks its API. A content is sent in one request that is signed
 * with its hash, so that the server refuses a content that was damaged on its way.
 */
export async function openS3FileStore(options: S3FileStoreOptions): Promise<FileStore> {
  const { directory } = options;
  await makePrivateDirectory(directory);
  // A crash has left them: their uploads were never answered.
  for (const name of await readdir(directory)) await rm(join(directory, name), { force: true });
  const call = caller(options);
  return {
    async put(key, content, bounds) {
      const arriving = join(directory, randomUUID());
      partsOf(key);
      try {
        const stored = await spoolContent(arriving, content, bounds);
        if (typeof stored === 'string') return stored;
        const body = await openAsBlob(arriving);
        const response = await call('PUT', key, { sent: { body, sha256: stored.sha256 } });
        await response.body?.cancel();
        requireStatus(response, [200, 201, 204]);
        return stored;
      } finally {
        await rm(arriving, { force: true });
      }
    },
    async open(key, range) {
      const response = await call('GET', key, { range });
      const { status, body } = response;
      // A server that does not know of parts would send the whole content for each of them.
      const isRight = status === (range ? 206 : 200);
      if (isRight && body) return Readable.from(atMost(body, range?.length ?? Infinity));
      await body?.cancel();
      if (status === 404) return undefined;
      // The content ends before the part begins.
      if (range && status === 416) return Readable.from([]);
      throw statusFailure(response);
    },
    async remove(key) {
      const response = await call('DELETE', key);
      await response.body?.cancel();
      requireStatus(response, [200, 204, 404]);
    },
  };
}

interface Sent {
  readonly body: Blob;
  readonly sha256: string;
}

interface Asked {
  readonly sent?: Sent;
  readonly range?: ByteRange | undefined;
}

function caller(options: S3FileStoreOptions) {
  const { accessKeyId, secretAccessKey, sessionToken, region, endpoint, bucket } = options;
  const { timeoutMs = timeoutMsDefault } = options;
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
    region,
    service: 's3',
    // The caller answers 503, and its client tries again.
    retries: 0,
  });
  const base = `${endpoint.replace(/\/+$/, '')}/${bucket}/${options.prefix ?? ''}`;
  return async (
    method: 'GET' | 'PUT' | 'DELETE',
    key: FileKey,
    { sent, range }: Asked = {},
  ): Promise<Response> => {
    const url = base + partsOf(key).join('/');
    const headers = {
      'x-amz-content-sha256': sent?.sha256 ?? hashOfNothing,
      ...(range && { range: `bytes=${range.offset}-${range.offset + range.length - 1}` }),
    };
    try {
      const { headers: signed } = await client.sign(url, { method, headers });
      return await fetch(url, {
        method,
        headers: signed,
        redirect: 'error',
        signal: AbortSignal.timeout(method === 'PUT' ? putTimeoutMs : timeoutMs),
        ...(sent && { body: sent.body }),
      });
    } catch (error) {
      throw new StoreUnavailable('The bucket of the files does not answer', { cause: error });
    }
  };
}

async function* atMost(body: AsyncIterable<Uint8Array>, bytesMax: number) {
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.byteLength;
      if (bytes > bytesMax) break;
      yield chunk;
    }
  } catch (error) {
    throw new StoreUnavailable('The bucket of the files breaks off', { cause: error });
  }
  if (bytes > bytesMax) throw new StoreUnavailable('The bucket of the files sends too much');
}

function requireStatus(response: Response, allowed: readonly number[]): void {
  if (!allowed.includes(response.status)) throw statusFailure(response);
}

function statusFailure({ status }: Response): StoreUnavailable {
  return new StoreUnavailable(`The bucket of the files answers with status ${status}`);
}
