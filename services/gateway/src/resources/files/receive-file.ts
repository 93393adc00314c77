import type { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { Fault, invalidValue } from '@sluice/errors';
import type { FastifyRequest } from 'fastify';
import { allowSlowBody } from '../../http/server/slow-bodies.ts';

/** A file of a form, as it comes. */
export interface SentFile {
  readonly name: string;
  readonly mediaType: string;
  /** Ends when the whole form has come and is right. */
  readonly content: AsyncIterable<Uint8Array>;
}

const field = 'file';
const limits = {
  fieldNameSize: 100,
  fieldSize: 1_000,
  fields: 10,
  files: 2,
  parts: 12,
  headerPairs: 20,
};

/**
 * Reads a form with the field `file`, and `purpose`, which says nothing. Hands the content on as it comes. Resolves
 * with what `keep` returns. A form that is refused is read to its end and dropped, so that the client gets the reply.
 */
export function receiveFile<Kept>(
  request: FastifyRequest,
  timeoutMs: number,
  keep: (file: SentFile) => Promise<Kept>,
): Promise<Kept> {
  const body = request.body as Readable | undefined;
  // A request without a body has no type either.
  if (!body) throw malformed();
  const { promise, resolve, reject } = Promise.withResolvers<Kept>();
  const whole = Promise.withResolvers<void>();
  whole.promise.catch(() => undefined);
  let coming: BusboyFileStream | undefined;
  let kept: Promise<Kept> | undefined;
  let isRefused = false;
  const form = formOf(request, body);
  const fail = (error: unknown) => {
    if (isRefused) return;
    isRefused = true;
    body.unpipe(form);
    body.resume();
    whole.reject(error);
    coming?.destroy(error as Error);
    reject(error);
  };
  const late = () =>
    fail(
      new Fault('timeout', { message: `The file did not arrive within ${timeoutMs / 1_000} s` }),
    );
  allowSlowBody(request.raw, { timeoutMs, late });
  form.on('file', (name, content, filename: string | undefined, _encoding, mediaType) => {
    content.on('error', () => undefined);
    // The parser goes on with the bytes that it has.
    if (isRefused) return void content.resume();
    if (name !== field || coming !== undefined) {
      content.resume();
      return fail(
        name === field ? invalidValue(field, 'must stand once') : invalidValue(name, 'is no field'),
      );
    }
    coming = content;
    kept = keep({
      name: filename ?? '',
      mediaType: mediaType.toLowerCase(),
      content: followedBy(content, whole.promise),
    });
    kept.then(resolve, fail);
  });
  form.on('field', (name) => {
    if (name !== 'purpose')
      fail(invalidValue(name, name === field ? 'must be a file with a name' : 'is no field'));
  });
  for (const bound of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    form.on(bound, () => fail(malformed()));
  form.on('error', () => fail(malformed()));
  form.on('finish', () => {
    if (kept === undefined) fail(invalidValue(field, 'is missing'));
    else whole.resolve();
  });
  body.on('error', fail);
  body.on('close', () => {
    if (!body.readableEnded) fail(new Error('The client has left'));
  });
  body.pipe(form);
  return promise;
}

function formOf({ headers }: FastifyRequest, body: Readable): Busboy {
  const contentType = headers['content-type'] ?? '';
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits });
  } catch {
    body.resume();
    throw malformed();
  }
}

async function* followedBy(
  content: AsyncIterable<unknown>,
  end: Promise<void>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) yield chunk as Uint8Array;
  await end;
}

function malformed(): Fault {
  return new Fault('invalid_request', {
    message: 'The request body is not valid multipart/form-data',
  });
}
