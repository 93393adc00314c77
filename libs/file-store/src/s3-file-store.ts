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
  /** A folder of this process alone: an upload rests there until its length and its hash are known. */
  readonly directory: string;
}

/** For a whole content, whose reader may be slow. */
const timeoutMs = 600_000;
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
      if (response.ok && response.body) return Readable.fromWeb(response.body);
      await response.body?.cancel();
      if (response.status === 404) return undefined;
      // The content ends before the part begins.
      if (response.status === 416) return Readable.from([]);
      requireStatus(response, [200]);
      return Readable.from([]);
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
        signal: AbortSignal.timeout(timeoutMs),
        ...(sent && { body: sent.body }),
      });
    } catch (error) {
      throw new StoreUnavailable('The bucket of the files does not answer', { cause: error });
    }
  };
}

function requireStatus({ status }: Response, allowed: readonly number[]): void {
  if (!allowed.includes(status))
    throw new StoreUnavailable(`The bucket of the files answers with status ${status}`);
}
