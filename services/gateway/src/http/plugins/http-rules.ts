import { Fault } from '@sluice/errors';
import type { FastifyRequest } from 'fastify';
import type { App } from '../app-types.ts';

/** What HTTP allows and this server does not do is refused in the envelope, not in Node's bare words. */
export function httpRules(app: App): void {
  app.server.on('checkExpectation', (request, response) =>
    app.server.emit('request', request, response),
  );
  app.addHook('onRequest', (request, _reply, done) => {
    const message = problemOf(request);
    if (message !== undefined) throw new Fault('invalid_request', { message });
    done();
  });
}

function problemOf({ headers, raw }: FastifyRequest): string | undefined {
  const { host, expect, 'content-encoding': encoding } = headers;
  if (host === undefined && raw.httpVersion === '1.1') return 'The Host header is missing';
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    return 'The expectation of the Expect header is not supported';
  if (encoding !== undefined && encoding !== 'identity')
    return 'A Content-Encoding is not supported';
  return undefined;
}
