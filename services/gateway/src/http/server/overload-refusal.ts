import type { ServerResponse } from 'node:http';
import type { Ids } from '@sluice/clock-and-ids';
import { catalog, Fault } from '@sluice/errors';
import { type ErrorFormat, errorFormats } from '@sluice/client-errors';
import { type Overload, Refusals } from '@sluice/load-shedding';
import type { Logger } from '@sluice/logging';
import type { Telemetry } from '@sluice/telemetry';
import { anthropicRequestIdHeader, requestIdHeader } from '../plugins/request-id.ts';
import { requestIdOf } from '../request/request-id.ts';
import { rawErrorFormat } from './raw-error-format.ts';

const retryAfterSeconds = 1;
const status = catalog.overloaded.http;
const fault = new Fault('overloaded');
const bodies = {
  service: JSON.stringify(errorFormats.service(fault)),
  codex: JSON.stringify(errorFormats.codex(fault)),
  anthropic: JSON.stringify(errorFormats.anthropic(fault, {})),
} satisfies Readonly<Record<ErrorFormat, string>>;

/** Returns a function that answers 503 in the public envelope and counts it. */
export function overloadRefusal({
  ids,
  logger,
  telemetry,
}: {
  readonly ids: Ids;
  readonly logger: Logger;
  readonly telemetry: Pick<Telemetry, 'metrics'>;
}): (response: ServerResponse, overload: Overload) => void {
  const refusals = new Refusals({ logger, counter: telemetry.metrics.gatewayOverloadRefusals });
  return (response, reason) => {
    if (response.destroyed) return;
    refusals.add(reason);
    const requestId = requestIdOf(ids);
    const format = rawErrorFormat(response.req);
    const body = bodies[format];
    response
      .writeHead(status, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        'retry-after': String(retryAfterSeconds),
        [requestIdHeader]: requestId,
        ...(format === 'anthropic' && { [anthropicRequestIdHeader]: requestId }),
      })
      .end(body);
  };
}
