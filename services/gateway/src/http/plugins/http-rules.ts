import { Fault } from '@sluice/errors';
import type { FastifyRequest } from 'fastify';
import type { App } from '../app-types.ts';

/**
 * Refuses in the envelope what HTTP forbids or this server does not do, before the key is looked at:
 * a request that two servers may read in two ways is refused.
 */
export function httpRules(app: App): void {
  app.server.on('checkExpectation', (request, response) =>
    app.server.emit('request', request, response),
  );
  app.addHook('onRequest', (request, _reply, done) => {
    const problem = problemOf(request);
    if (problem !== undefined) throw problem;
    done();
  });
}

function problemOf({ headers, raw }: FastifyRequest): Fault | undefined {
  const { host, expect, 'content-encoding': encoding, 'transfer-encoding': coding } = headers;
  if (isUnknownCoding(coding))
    return new Fault('not_implemented', {
      message: 'Only the Transfer-Encoding chunked is supported',
    });
  if (host === undefined && raw.httpVersion === '1.1') return invalid('The Host header is missing');
  // Node keeps the first one of each alone.
  if (isRepeated(raw.rawHeaders, 'host')) return invalid('The Host header must stand exactly once');
  if (isRepeated(raw.rawHeaders, 'authorization'))
    return new Fault('authentication_invalid', {
      message: 'The Authorization header must stand only once',
    });
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    return invalid('The expectation of the Expect header is not supported');
  if (encoding !== undefined && encoding !== 'identity')
    return invalid('A Content-Encoding is not supported');
  return undefined;
}

/** The parser gives up on such a body as soon as it has the head: the answer must not wait for anything. */
export function isUnknownCoding(coding: string | undefined): boolean {
  return coding !== undefined && coding.toLowerCase() !== 'chunked';
}

function invalid(message: string): Fault {
  return new Fault('invalid_request', { message });
}

/** Names and values alternate in `rawHeaders`. */
function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at];
    if (given?.length === name.length && given.toLowerCase() === name) count += 1;
  }
  return count > 1;
}
