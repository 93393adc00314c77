import { Fault } from '@sluice/errors';
import type { FastifyRequest } from 'fastify';
import type { App } from '../app-types.ts';
import { acceptedEncodings, encodingOf, isDecodable } from './decode-body.ts';

const spokenVersions: ReadonlySet<string> = new Set(['1.0', '1.1']);

/**
 * Refuses in the envelope what HTTP forbids or this server does not do, before the key is looked at:
 * a request that two servers may read in two ways is refused.
 */
export function httpRules(app: App, inferencePaths: ReadonlySet<string>): void {
  app.server.on('checkExpectation', (request, response) =>
    app.server.emit('request', request, response),
  );
  app.addHook('onRequest', (request, reply, done) => {
    const problem = problemOf(request, inferencePaths);
    if (problem?.code === 'unsupported_encoding')
      reply.header('accept-encoding', acceptedEncodings);
    if (problem?.code === 'upgrade_required') reply.header('upgrade', 'HTTP/1.1');
    if (problem !== undefined) throw problem;
    done();
  });
}

function problemOf(
  request: FastifyRequest,
  inferencePaths: ReadonlySet<string>,
): Fault | undefined {
  const { headers, raw } = request;
  const { host, expect, upgrade, 'transfer-encoding': coding } = headers;
  if (isUnknownCoding(coding))
    return new Fault('not_implemented', {
      message: 'Only the Transfer-Encoding chunked is supported',
    });
  // The parser of Node takes other versions and reads them like 1.1.
  if (!spokenVersions.has(raw.httpVersion)) return invalid('The HTTP version must be 1.0 or 1.1');
  if (upgrade?.toLowerCase() === 'websocket' && inferencePaths.has(pathOf(request.url)))
    return new Fault('upgrade_required');
  if (host === undefined && raw.httpVersion === '1.1') return invalid('The Host header is missing');
  // Node keeps the first one of each alone.
  if (isRepeated(raw.rawHeaders, 'host')) return invalid('The Host header must stand exactly once');
  if (isRepeated(raw.rawHeaders, 'authorization'))
    return new Fault('authentication_invalid', {
      message: 'The Authorization header must stand only once',
    });
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    return invalid('The expectation of the Expect header is not supported');
  const encoding = encodingOf(request);
  if (encoding !== undefined && !isDecodable(encoding))
    return new Fault('unsupported_encoding', {
      message: `The Content-Encoding must be one of: ${acceptedEncodings}, identity`,
    });
  return undefined;
}

function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
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
