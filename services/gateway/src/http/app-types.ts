import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { ActiveSpan } from '@sluice/telemetry';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { ResolvedKey } from '../keys/resolved-key.ts';

/** Whom a route serves. `public`: also without a key, but a key that is sent must be valid. */
export type RouteAuth = 'public' | 'inference' | 'management' | 'any';
export const routeAuths: readonly RouteAuth[] = ['public', 'inference', 'management', 'any'];

/** Which request rate counts for a route. */
export type RouteRate = 'inference' | 'keys' | 'management';

declare module 'fastify' {
  interface FastifyContextConfig {
    auth?: RouteAuth;
    rate?: RouteRate;
    /** `raw`: the bytes as they came; the gateway does not parse them. */
    body?: 'raw';
  }
  interface FastifyRequest {
    /** The key that was presented; undefined on a public route without one. */
    caller: ResolvedKey | undefined;
    span: ActiveSpan | undefined;
  }
}

/** The fastify instance whose handlers are typed from their schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;
