import type { ServerResponse } from 'node:http';
import { catalog, Fault } from '@sluice/errors';
import { errorEnvelope } from '@sluice/inference';
import type { Crowded } from '@sluice/service';
import type { EntranceDependencies } from './entrance.ts';
import { requestIdHeader } from './plugins/request-id.ts';
import { requestIdOf } from './request-id.ts';

const retryAfterSeconds = 1;
const warnEveryMs = 10_000;
/** ASCII: as text it leaves together with the head, in one write. */
const body = JSON.stringify(errorEnvelope(new Fault('overloaded')));
const headers = [
  'content-type',
  'application/json; charset=utf-8',
  'content-length',
  String(body.length),
  'retry-after',
  String(retryAfterSeconds),
  requestIdHeader,
];
/** Made once: a refusal has to cost next to nothing. */
const reasons = {
  full: { reason: 'full' },
  share: { reason: 'share' },
  slow: { reason: 'slow' },
} as const satisfies Record<Crowded, { readonly reason: Crowded }>;

/** Answers 503 in the public envelope, counts it, and warns of it from time to time. */
export function overloadRefusal({
  ids,
  logger,
  telemetry,
}: Pick<EntranceDependencies, 'ids' | 'logger' | 'telemetry'>) {
  const { gatewayOverloadRefusals: refusals } = telemetry.metrics;
  let warnedMs = Number.NEGATIVE_INFINITY;
  return (response: ServerResponse, crowded: Crowded): void => {
    const requestId = requestIdOf(ids);
    response.writeHead(catalog.overloaded.http, [...headers, requestId]).end(body, 'latin1');
    refusals.add(1, reasons[crowded]);
    const nowMs = performance.now();
    if (nowMs - warnedMs < warnEveryMs) return;
    warnedMs = nowMs;
    logger.warn('more requests come than can be served', { requestId, code: 'overloaded' });
  };
}
