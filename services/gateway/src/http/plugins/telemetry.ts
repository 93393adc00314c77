import type { Logger } from '@sluice/logging';
import { spanAttributes, type Telemetry, traceField } from '@sluice/telemetry';
import type { FastifyRequest } from 'fastify';
import type { App } from '../app-types.ts';
import { whenEnded } from '../server/connection.ts';

export interface TelemetryDependencies {
  readonly telemetry: Pick<Telemetry, 'metrics' | 'tracing'>;
  readonly logger: Logger;
}

const traceparentPattern = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
const noRoute = 'none';
/** The methods that OpenTelemetry names. Any other word of a client would add a series to the metrics. */
const knownMethods = new Set([
  'CONNECT',
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'QUERY',
  'TRACE',
]);
const otherMethod = '_OTHER';

/** One span, one measurement and one log line per request, when its reply has ended or broken. */
export function telemetry(app: App, dependencies: TelemetryDependencies): void {
  const { metrics, tracing } = dependencies.telemetry;
  const { logger } = dependencies;
  app.decorateRequest('span', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    const startedMs = performance.now();
    const { id: requestId } = request;
    const method = knownMethods.has(request.method) ? request.method : otherMethod;
    const route = request.route.url ?? noRoute;
    const span = tracing.start(`${method} ${route}`, {
      kind: 'server',
      parent: traceparentOf(request),
      attributes: () => ({
        'http.request.method': method,
        'http.route': route,
        [spanAttributes.requestId]: requestId,
      }),
    });
    request.span = span;
    whenEnded(reply, (outcome) => {
      const durationMs = performance.now() - startedMs;
      const status = reply.raw.statusCode;
      metrics.httpServerRequestDuration.record(durationMs / 1000, {
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
      });
      span.set(() => ({
        'http.response.status_code': status,
        ...request.caller?.spanAttributesOf(),
      }));
      span.end(outcome === 'aborted' ? 'aborted' : status >= 500 ? String(status) : undefined);
      const trace = traceField(span.traceparent);
      const { refusedFor: code } = reply;
      const fields = { requestId, ...trace, route, method, status, durationMs, outcome };
      logger.info('request', code === undefined ? fields : { ...fields, code });
    });
    done();
  });
}

/** Returns the header only if it is well-formed: it goes into logs, calls and stored events. */
function traceparentOf(request: FastifyRequest): string | undefined {
  const { traceparent } = request.headers;
  return typeof traceparent === 'string' && traceparentPattern.test(traceparent)
    ? traceparent
    : undefined;
}
