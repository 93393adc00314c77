import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { catalog, Fault } from '@sluice/errors';
import { errorEnvelope } from '@sluice/inference';
import type { Overload } from '@sluice/load-shedding';
import type { EntranceDependencies } from './entrance.ts';
import { requestIdHeader } from '../plugins/request-id.ts';
import { requestIdOf } from '../request-id.ts';

const retryAfterSeconds = 1;
const warnEveryMs = 10_000;
const status = catalog.overloaded.http;
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
/** The whole answer up to the id of the request, and what follows it. */
const beforeId = [
  `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
  'content-type: application/json; charset=utf-8',
  `content-length: ${body.length}`,
  `retry-after: ${retryAfterSeconds}`,
  'connection: keep-alive',
  `${requestIdHeader}: `,
].join('\r\n');
const afterId = `\r\n\r\n${body}`;
/** Made once: a refusal has to cost next to nothing. */
const reasons = {
  full: { reason: 'full' },
  share: { reason: 'share' },
  slow: { reason: 'slow' },
} as const satisfies Record<Overload, { readonly reason: Overload }>;

/** Answers 503 in the public envelope, counts it, and warns of it from time to time. */
export interface OverloadRefusal {
  readonly refuse: (response: ServerResponse, crowded: Overload) => void;
  /** On a connection that is kept and on which no other answer is under way: past node:http, in one write. */
  readonly refuseBarely: (socket: Socket, crowded: Overload) => void;
}

export function overloadRefusal({
  ids,
  logger,
  telemetry,
}: Pick<EntranceDependencies, 'ids' | 'logger' | 'telemetry'>): OverloadRefusal {
  const { gatewayOverloadRefusals: refusals } = telemetry.metrics;
  let warnedMs = Number.NEGATIVE_INFINITY;
  const note = (requestId: string, crowded: Overload) => {
    refusals.add(1, reasons[crowded]);
    const nowMs = performance.now();
    if (nowMs - warnedMs < warnEveryMs) return;
    warnedMs = nowMs;
    logger.warn('more requests come than can be served', { requestId, code: 'overloaded' });
  };
  return {
    refuse(response, crowded) {
      const requestId = requestIdOf(ids);
      response.writeHead(status, [...headers, requestId]).end(body, 'latin1');
      note(requestId, crowded);
    },
    refuseBarely(socket, crowded) {
      const requestId = requestIdOf(ids);
      socket.write(beforeId + requestId + afterId, 'latin1');
      note(requestId, crowded);
    },
  };
}
