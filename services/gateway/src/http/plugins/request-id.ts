import { type App, errorFormatOf } from '../app-types.ts';

export const requestIdHeader = 'x-request-id';
/** The SDKs of Anthropic read this name. */
export const anthropicRequestIdHeader = 'request-id';

/**
 * Every reply says which request it answers. The id is ours: a client's own is not taken over. Comes
 * first: what later hooks ask of a request and its reply is set here.
 */
export function requestId(app: App): void {
  app.decorateRequest('route');
  app.decorateReply('hasLeft', false);
  app.decorateReply('streamed', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    request.route = request.routeOptions;
    reply.raw.on('finish', () => {
      reply.hasLeft = true;
    });
    reply.header(requestIdHeader, request.id);
    if (errorFormatOf(request) === 'anthropic') reply.header(anthropicRequestIdHeader, request.id);
    done();
  });
}
