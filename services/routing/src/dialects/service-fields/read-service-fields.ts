import type { ServiceBody } from '@sluice/client-schemas';
import type { CanonicalCall } from '../../request/call.ts';

type ServiceCall = Omit<CanonicalCall, 'preferences' | 'inference' | 'warning'>;

/** Reads the fields that every dialect has and that are not for the model. */
export function readServiceFields(body: ServiceBody): ServiceCall {
  const trace = JSON.stringify(body.trace ?? {});
  return {
    user: body.user ?? undefined,
    sessionId: body.session_id ?? undefined,
    safetyIdentifier: body.safety_identifier ?? undefined,
    trace: trace === '{}' ? '' : trace,
    demandsModeration: body.plugins?.some(({ id }) => id === 'moderation') ?? false,
    echoesUpstreamBody: (body.debug?.echo_upstream_body ?? false) && (body.stream ?? false),
  };
}
