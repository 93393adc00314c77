import { Fault } from '@sluice/errors';
import type { App } from '../app-types.ts';

/** Lets each kind of key do its own job only. */
export function guard(app: App): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404) throw new Fault('not_found');
    const { auth } = request.routeOptions.config;
    const kind = request.caller?.kind;
    if (auth === 'inference' && kind === 'management') throw new Fault('inference_key_required');
    if (auth === 'management' && kind !== 'management') throw new Fault('management_key_required');
    done();
  });
}
