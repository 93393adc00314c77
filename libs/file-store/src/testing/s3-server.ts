import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The part of the package `@20minutes/s3rver` that is used. It has no types. */
interface S3rver {
  run(): Promise<{ readonly port: number }>;
  close(): Promise<void>;
}

type S3rverClass = new (options: {
  readonly directory: string;
  readonly address: string;
  readonly port: number;
  readonly silent: boolean;
  readonly configureBuckets: readonly { readonly name: string }[];
}) => S3rver;

/** The only key that the server knows. */
export const s3ServerKeys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' } as const;

export interface S3Server {
  readonly url: string;
  readonly bucket: string;
  stop(): Promise<void>;
}

/** Starts a server of S3 with an empty bucket. It checks each signature, and serves a request that has none. */
export async function startS3Server(): Promise<S3Server> {
  const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as S3rverClass;
  const directory = await mkdtemp(join(tmpdir(), 'sluice-s3-'));
  const bucket = 'traces';
  const server = new S3rver({
    directory,
    address: '127.0.0.1',
    port: 0,
    silent: true,
    configureBuckets: [{ name: bucket }],
  });
  const { port } = await server.run();
  return {
    url: `http://127.0.0.1:${port}`,
    bucket,
    stop: async () => {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
