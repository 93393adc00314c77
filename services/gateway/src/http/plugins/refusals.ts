import { catalog, type ErrorCode } from '@sluice/errors';
import type { Ids } from '@sluice/clock-and-ids';
import type { FastifyRequest } from 'fastify';
import type { RefusalLog } from '../../audit/refusal-log.ts';
import type { App } from '../app-types.ts';
import { contextOf } from '../caller.ts';
import { resourceOf } from '../routes/resources.ts';

export interface RefusalsDependencies {
  readonly refusals: RefusalLog;
  readonly ids: Ids;
}

const writes: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const wrongKind: ReadonlySet<ErrorCode> = new Set([
  'management_key_required',
  'inference_key_required',
]);
/** The same request may be carried out when it is sent again: that is no word on it. */
const passing: ReadonlySet<number> = new Set([408, 429]);

/**
 * Records for the audit what a valid key asked for and did not get: everything that its kind may not
 * do, and every change that was refused.
 */
export function refusals(app: App, { refusals: log, ids }: RefusalsDependencies): void {
  app.decorateReply('refusedFor', undefined);
  app.addHook('onResponse', (request, reply, done) => {
    const { refusedFor: reason } = reply;
    if (reason !== undefined && request.caller !== undefined && isRecorded(request, reason))
      log.add({
        context: contextOf(request, ids.next()),
        ...asked(request),
        status: catalog[reason].http,
        reason,
      });
    done();
  });
}

function isRecorded({ method, route }: FastifyRequest, reason: ErrorCode): boolean {
  if (wrongKind.has(reason)) return true;
  const { http: status } = catalog[reason];
  const isManagement = route.config.auth === 'management';
  return isManagement && writes.has(method) && status < 500 && !passing.has(status);
}

/** Named by the operation: `createKey` of `/v1/keys` is `api_key.create`. */
function asked({ route, params }: FastifyRequest) {
  const { type: resourceType } = resourceOf(route.url ?? '');
  const verb = /^[a-z]+/.exec(route.schema?.operationId ?? '')?.[0] ?? 'call';
  const [resourceId = ''] = Object.values((params ?? {}) as Record<string, string>);
  return { action: `${resourceType}.${verb}`, resourceType, resourceId };
}
