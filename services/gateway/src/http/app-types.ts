import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { ErrorCode } from '@sluice/errors';
import type { ErrorFormat } from '@sluice/client-errors';
import type { ActiveSpan } from '@sluice/telemetry';
import type {
  FastifyBaseLogger,
  FastifyContextConfig,
  FastifyRequest,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { Caller } from '../caller/caller.ts';
import type { RouteAuth } from '../caller/caller-facts.ts';
import type { IdempotentAttempt } from '../idempotency/idempotent-attempt.ts';
import type { StreamedBody } from '../inference/streamed-body.ts';

/** The request rate that counts for a route. */
export type RouteRate = 'inference' | 'keys' | 'management' | 'analytics';

/** The statuses with which a route itself may fail. `http/statuses.ts` adds those of every route of its kind. */
export type OwnErrorStatus = 400 | 402 | 403 | 404 | 409 | 413 | 422 | 501 | 502 | 524 | 529;

declare module 'fastify' {
  interface FastifyContextConfig {
    auth: RouteAuth;
    errors: readonly OwnErrorStatus[];
    rate?: RouteRate;
    /** Only organizations have it: a key of a personal account gets a 404. */
    organization?: true;
    /** The entitlement that the account must have. Without it the route answers 404. */
    entitlement?: 'scim';
    /**
     * `raw`: the bytes as they came; the gateway does not parse them. `streamed`: the handler reads them as they come,
     * and holds few of them. `none`: there is nothing to say.
     */
    body?: 'raw' | 'streamed' | 'none';
    /** `own`: the service behind the route honors the Idempotency-Key of a POST, in its own way. */
    idempotency?: 'own';
    /** The answer holds a secret, which the key service keeps until the answer is delivered. */
    answersSecret?: true;
    /** The form of its errors. That of the service when absent. */
    errorFormat?: ErrorFormat;
    /** The answer and its errors have Anthropic's form, if the request has `anthropic-version`. */
    negotiatesFormat?: true;
    /** The key may come as `x-api-key`, too. */
    takesApiKeyHeader?: true;
    /** `ignored`: query fields that the route does not describe are dropped; else they are refused. */
    unknownQuery?: 'ignored';
  }
  interface FastifyReply {
    /** The whole reply has left. */
    hasLeft: boolean;
    /** A stream of events that is on its way. */
    streamed: StreamedBody | undefined;
    /** Why the request is refused, when it is. */
    refusedFor: ErrorCode | undefined;
  }
  interface FastifyRequest {
    /** If undefined, the route is public, and the request has no credentials. */
    caller: Caller | undefined;
    span: ActiveSpan | undefined;
    /** `routeOptions`, which is made anew whenever it is asked for. From the first hook on. */
    route: FastifyRequest['routeOptions'];
    /** The attempt of a POST with an Idempotency-Key. */
    idempotentAttempt: IdempotentAttempt | undefined;
  }
}

/**
 * Returns the form of the errors of a request. Where no route serves it, its path or its client says which API it
 * means.
 */
export function errorFormatOf(request: FastifyRequest): ErrorFormat {
  const {
    auth,
    errorFormat = 'service',
    negotiatesFormat = auth === undefined,
  } = (request.route?.config ?? {}) as Partial<FastifyContextConfig>;
  if (auth === undefined && isAnthropicPath(request.url)) return 'anthropic';
  return negotiatesFormat && asksForAnthropic(request) ? 'anthropic' : errorFormat;
}

const anthropicPath = /^\/v1\/messages(?:[/?]|$)/;

/** Returns true for a path of Anthropic's API, whether a route serves it or not. */
export function isAnthropicPath(url: string): boolean {
  return anthropicPath.test(url);
}

/** Clients of Anthropic name the version of its API in each request. */
export function asksForAnthropic({ headers }: FastifyRequest): boolean {
  return headers['anthropic-version'] !== undefined;
}

/** The rate that counts where a route names none. */
export function rateOf({ auth, rate }: FastifyContextConfig): RouteRate {
  return rate ?? (auth === 'inference' ? 'inference' : 'management');
}

/** The fastify instance whose handlers are typed from their schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;
