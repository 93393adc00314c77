import { catalog, Fault, isErrorCode } from '@sluice/errors';
import type { CreatePrivateEndpointResponse } from '@sluice/protos/sluice/account/v1/private_endpoint';
import { FaultWithData } from '../../http/fault-with-data.ts';
import { managedEndpointView, validationView } from './view.ts';

/** The statuses of a creation whose draft is kept. */
const statuses: ReadonlySet<number> = new Set([404, 408, 409, 422, 500, 502]);

/** Throws if a later step of a creation failed. The error has the draft that is kept. */
export function assertActivated({
  endpoint,
  validation,
  failure,
}: CreatePrivateEndpointResponse): void {
  if (!failure) return;
  const { message, reason } = failure;
  const code = isErrorCode(failure.code) ? failure.code : 'internal';
  const fault = new Fault(statuses.has(catalog[code].http) ? code : 'provider_unavailable', {
    message,
    ...(reason !== '' && { metadata: { reason } }),
  });
  throw new FaultWithData(fault, {
    endpoint: managedEndpointView(endpoint),
    validation: validation ? validationView(validation) : null,
  });
}
