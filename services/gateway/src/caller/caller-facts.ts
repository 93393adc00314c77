import type { Principal } from '@sluice/inference-port';

/** The callers that a route serves. `public` takes requests without credentials. A key that is sent must be valid. */
export type RouteAuth = 'public' | 'inference' | 'management' | 'any';
export const routeAuths: readonly RouteAuth[] = ['public', 'inference', 'management', 'any'];

/** The author of a command, as events and the audit name it. */
export interface Actor {
  readonly type: 'api_key' | 'management_key';
  readonly id: string;
}

/** Lists what the gateway asks of a caller of any kind. */
export interface CallerFacts {
  /** Discriminates the union `Caller`. */
  readonly kind: string;
  readonly accountId: string;
  /** The user that acts. Undefined for a key that no user of the account made. */
  readonly userId: string | undefined;
  /** The payer of an inference request. */
  readonly principal: Principal;
  /** Names the caller in rate limits and records. No other caller has the same id. */
  callerId(): string;
  actorOf(): Actor;
  /** Returns true if the route serves this caller. */
  permits(route: { readonly auth: RouteAuth }): boolean;
  /** Names the caller in the span of its request. */
  spanAttributesOf(): Readonly<Record<string, string>>;
}
