import { catalog, Fault } from '@sluice/errors';
import { type ActiveSpan, spanAttributes, type Tracing } from '@sluice/telemetry';

/** A call with a span: its request continues the trace at this span. */
export interface TracedCall {
  readonly request: unknown;
  end(error?: unknown): void;
}

interface Call {
  readonly tracing: Tracing | undefined;
  /** `/package.Service/Method` */
  readonly path: string;
  readonly kind: 'client' | 'server';
}

interface WithContext {
  readonly context?: {
    readonly traceparent?: string;
    readonly requestId?: string;
    readonly accountId?: string;
  };
}

/**
 * Starts the span of a call whose request has the context of a command with a trace. Returns undefined for other
 * calls, because these serve many requests at once, and where no spans are recorded.
 */
export function traceCall({ tracing, path, kind }: Call, request: unknown): TracedCall | undefined {
  if (!tracing?.isRecording) return undefined;
  const { context } = request as WithContext;
  const { traceparent: parent = '' } = context ?? {};
  if (parent === '') return undefined;
  const method = path.slice(1);
  const span = tracing.start(method, {
    kind,
    parent,
    attributes: () => ({
      'rpc.system.name': 'grpc',
      'rpc.method': method,
      // The ids that a server gets are not checked yet.
      ...(kind === 'client' && {
        [spanAttributes.requestId]: context?.requestId,
        [spanAttributes.accountId]: context?.accountId,
      }),
    }),
  });
  return {
    request: { ...(request as object), context: { ...context, traceparent: span.traceparent } },
    end: (error) => endSpan(span, kind, error),
  };
}

const serverErrorStatus = 500;

/** A refusal is an error of the caller, and the server that refused it did not fail. */
function endSpan(span: ActiveSpan, kind: Call['kind'], error: unknown): void {
  if (error === undefined) return span.end();
  const code = error instanceof Fault ? error.code : 'internal';
  span.end(kind === 'client' || catalog[code].http >= serverErrorStatus ? code : undefined);
}
