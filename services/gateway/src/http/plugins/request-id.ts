import type { App } from '../app-types.ts';

export const requestIdHeader = 'x-request-id';

/** Every reply says which request it answers. The id is ours: a client's own is not taken over. */
export function requestId(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(requestIdHeader, request.id);
    done();
  });
}
