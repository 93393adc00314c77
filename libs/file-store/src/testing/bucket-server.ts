import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const bucketKeys = {
  accessKeyId: 'AKIATEST',
  secretAccessKey: 'secret/of+the-test',
  region: 'eu-test-1',
};

export interface BucketServer {
  readonly url: string;
  readonly objects: Map<string, Buffer>;
  /** The status of every answer instead of the usual one. */
  failWith: number | undefined;
  /** Answers instead of the bucket. */
  hostile: ((response: ServerResponse) => void) | undefined;
  stop(): void;
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string) =>
  createHmac('sha256', key).update(data).digest();

/** Starts a server that speaks the part of S3's API that is used, and checks each signature as S3 documents it. */
export async function startBucketServer(): Promise<BucketServer> {
  const objects = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    void answer(request, response, bucket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bucket: BucketServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    failWith: undefined,
    hostile: undefined,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return bucket;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { objects, failWith, hostile }: BucketServer,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (hostile) return hostile(response);
  const { method, url: name = '' } = request;
  if (failWith !== undefined) response.statusCode = failWith;
  else if (!isSigned(request, body)) response.statusCode = 403;
  else if (method === 'PUT') objects.set(name, body);
  else if (method === 'DELETE') {
    objects.delete(name);
    response.statusCode = 204;
  } else if (objects.has(name)) {
    answerPart(request, response, objects.get(name) ?? Buffer.alloc(0));
    return;
  } else response.statusCode = 404;
  response.end();
}

function answerPart({ headers }: IncomingMessage, response: ServerResponse, object: Buffer): void {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
  if (first === undefined) return void response.end(object);
  const part = object.subarray(Number(first), Number(last) + 1);
  response.statusCode = part.length === 0 ? 416 : 206;
  response.end(part);
}

/** Checks a signature of version 4, by its description and not by the code of the client. */
function isSigned({ method = '', url = '', headers }: IncomingMessage, body: Buffer): boolean {
  const found =
    /Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)/.exec(
      headers.authorization ?? '',
    );
  if (!found) return false;
  const [, id, day = '', region = '', signed = '', signature] = found;
  const hash = String(headers['x-amz-content-sha256']);
  if (id !== bucketKeys.accessKeyId || hash !== sha256(body)) return false;
  const lines = signed.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = [method, url, '', lines.join(''), signed, hash].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(
    (secret, part) => hmac(secret, part),
    `AWS4${bucketKeys.secretAccessKey}`,
  );
  return hmac(key, toSign).toString('hex') === signature;
}
