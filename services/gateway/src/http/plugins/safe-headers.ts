import type { App } from '../app-types.ts';

/**
 * Forbids browsers to guess the type of an answer, and everybody to store what a management route answers: it may hold
 * a secret.
 */
export function safeHeaders(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-content-type-options', 'nosniff');
    const { auth } = request.route.config ?? {};
    if (auth === 'management') reply.header('cache-control', 'no-store');
    done();
  });
}
