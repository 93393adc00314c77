import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AwsV4Signer } from 'aws4fetch';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type FileKey, type FileStore, openLocalFileStore, openS3FileStore } from './index.ts';
import { bucketKeys, type BucketServer, startBucketServer } from './testing/bucket-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluice-files-'));
let bucket: BucketServer;
beforeAll(async () => {
  bucket = await startBucketServer();
});
afterAll(() => {
  bucket.stop();
  rmSync(folder, { recursive: true, force: true });
});

const directory = (name: string) => join(folder, name);
const stores: Readonly<Record<string, () => Promise<FileStore>>> = {
  'the local disk': () => openLocalFileStore({ directory: directory('local') }),
  'a bucket': () =>
    openS3FileStore({
      ...bucketKeys,
      endpoint: bucket.url,
      bucket: 'files',
      prefix: 'sluice/',
      directory: directory('spool'),
    }),
};

const key = (fileId: string): FileKey => ({ accountId: 'acc', workspaceId: 'ws', fileId });
async function* chunksOf(...texts: readonly string[]) {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text));
}
async function textOf(store: FileStore, fileId: string): Promise<string | undefined> {
  const stream = await store.open(key(fileId));
  if (!stream) return undefined;
  return Buffer.concat((await stream.toArray()) as Buffer[]).toString();
}
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe.each(Object.keys(stores))('a store on %s', (name) => {
  let store: FileStore;
  beforeAll(async () => {
    store = await (stores[name] as () => Promise<FileStore>)();
  });

  test('returns what was put, until it is removed', async () => {
    const stored = await store.put(key('f1'), chunksOf('one ', 'two'), { bytesMax: 100 });
    deepEqual(stored, { bytes: 7, sha256: sha256('one two') });
    equal(await textOf(store, 'f1'), 'one two');
    await store.remove(key('f1'));
    await store.remove(key('f1'));
    equal(await textOf(store, 'f1'), undefined);
  });

  test('returns a part of a content', async () => {
    await store.put(key('parts'), chunksOf('one ', 'two'), { bytesMax: 100 });
    const partOf = async (offset: number, length: number) => {
      const stream = await store.open(key('parts'), { offset, length });
      ok(stream);
      return Buffer.concat((await stream.toArray()) as Buffer[]).toString();
    };
    deepEqual(await Promise.all([partOf(0, 3), partOf(3, 2), partOf(5, 100)]), ['one', ' t', 'wo']);
    equal(await partOf(7, 1), '');
    equal(await store.open(key('none'), { offset: 0, length: 1 }), undefined);
  });

  test('takes as much as it may, and leaves nothing of what it refuses', async () => {
    equal(await store.put(key('f2'), chunksOf('1234', '5'), { bytesMax: 4 }), 'too_large');
    equal(await store.put(key('f3'), chunksOf(), { bytesMax: 4 }), 'empty');
    const broken = (async function* () {
      yield* chunksOf('begun');
      throw new Error('the client has left');
    })();
    await rejects(store.put(key('f4'), broken, { bytesMax: 100 }), /the client has left/);
    for (const file of ['f2', 'f3', 'f4', 'never']) equal(await textOf(store, file), undefined);
    const spool = name === 'a bucket' ? directory('spool') : join(directory('local'), 'incoming');
    deepEqual(readdirSync(spool), []);
    const full = await store.put(key('f5'), chunksOf('12', '34'), { bytesMax: 4 });
    ok(typeof full !== 'string');
  });

  test('has a place for each account and workspace', async () => {
    await store.put(key('f6'), chunksOf('mine'), { bytesMax: 100 });
    equal(await store.open({ ...key('f6'), accountId: 'other' }), undefined);
    equal(await store.open({ ...key('f6'), workspaceId: 'other' }), undefined);
  });

  test.each(['../../etc/passwd', '..', '.', '', 'a/b', 'a\0', 'a b', '%2e%2e'])(
    'refuses a name that is no id: "%s"',
    async (fileId) => {
      await rejects(store.put(key(fileId), chunksOf('x'), { bytesMax: 9 }), TypeError);
      await rejects(async () => await store.open(key(fileId)), TypeError);
      await rejects(async () => await store.remove(key(fileId)), TypeError);
    },
  );
});

describe('a store on the local disk', () => {
  test('is private, and clears what a crash has left', async () => {
    await stores['the local disk']?.();
    equal(statSync(directory('local')).mode & 0o77, 0);
    writeFileSync(join(directory('local'), 'incoming', 'left'), 'half');
    await stores['the local disk']?.();
    deepEqual(readdirSync(join(directory('local'), 'incoming')), []);
  });
});

describe('a store on a bucket', () => {
  test('says that the bucket fails, or does not know the key', async () => {
    const store = await (stores['a bucket'] as () => Promise<FileStore>)();
    bucket.failWith = 500;
    const unavailable = { name: 'StoreUnavailable', message: /status 500/ };
    await rejects(store.put(key('f7'), chunksOf('x'), { bytesMax: 9 }), unavailable);
    await rejects(store.open(key('f7')), unavailable);
    await rejects(store.remove(key('f7')), unavailable);
    bucket.failWith = undefined;
    const other = await openS3FileStore({
      ...bucketKeys,
      secretAccessKey: 'wrong',
      endpoint: bucket.url,
      bucket: 'files',
      directory: directory('spool'),
    });
    await rejects(other.open(key('f7')), { message: /status 403/ });
    ok([...bucket.objects.keys()].every((object) => object.startsWith('/files/sluice/acc/ws/')));
  });

  test.each<[string, (response: ServerResponse) => void, RegExp]>([
    ['sends the whole content for a part', (response) => response.end('whole'), /status 200/],
    [
      'sends more than it was asked for',
      (response) => {
        response.statusCode = 206;
        response.end('much more');
      },
      /sends too much/,
    ],
    [
      'sends without an end',
      (response) => {
        response.statusCode = 206;
        const more = () => {
          if (!response.destroyed) response.write(Buffer.alloc(65_536), more);
        };
        more();
      },
      /sends too much/,
    ],
    [
      'breaks off',
      (response) => {
        response.writeHead(206, { 'content-length': '4' });
        response.write('ha');
        setImmediate(() => response.destroy());
      },
      /breaks off/,
    ],
    [
      'redirects',
      (response) => response.writeHead(307, { location: 'http://169.254.169.254/' }).end(),
      /does not answer/,
    ],
    ['is silent', () => undefined, /does not answer/],
    ['fails with a page', (response) => response.writeHead(500).end('<html>'), /status 500/],
    ['says no HTTP', (response) => response.socket?.end('nothing'), /does not answer/],
  ])('that %s is unavailable', async (_what, hostile, message) => {
    const store = await openS3FileStore({
      ...bucketKeys,
      endpoint: bucket.url,
      bucket: 'files',
      directory: directory('spool'),
      timeoutMs: 2_000,
    });
    bucket.hostile = hostile;
    try {
      const unavailable = { name: 'StoreUnavailable', message };
      await rejects(async () => {
        const stream = await store.open(key('f8'), { offset: 0, length: 4 });
        await stream?.toArray();
      }, unavailable);
    } finally {
      bucket.hostile = undefined;
    }
  });

  test('signs as the documentation of S3 shows', async () => {
    // "Signature Calculations for the Authorization Header", the examples GET Object and GET Bucket (List Objects).
    const signatureOf = async (url: string, headers: Readonly<Record<string, string>>) => {
      const signer = new AwsV4Signer({
        url,
        method: 'GET',
        accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
        secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
        service: 's3',
        region: 'us-east-1',
        datetime: '20130524T000000Z',
        allHeaders: true,
        headers: {
          'x-amz-content-sha256': sha256(''),
          ...headers,
        },
      });
      const { headers: signed } = await signer.sign();
      return /Signature=(\w+)/.exec(signed.get('authorization') ?? '')?.[1];
    };
    const origin = 'https://examplebucket.s3.amazonaws.com';
    equal(
      await signatureOf(`${origin}/test.txt`, { range: 'bytes=0-9' }),
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    );
    equal(
      await signatureOf(`${origin}/?max-keys=2&prefix=J`, {}),
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    );
  });
});
