import type { PrivateEndpointsEvent } from './events.ts';

type Type = PrivateEndpointsEvent['type'];

const revoking: ReadonlySet<Type> = new Set([
  'PrivateEndpointDisabled',
  'PrivateEndpointDeleted',
] as const);
const changing: ReadonlySet<Type> = new Set([
  'PrivateEndpointActivated',
  'PrivateEndpointEnabled',
  'PrivateEndpointRepriced',
] as const);

/**
 * Returns the effect of an event on requests: `changes` if an endpoint is used in another way, `revokes` if it must not
 * be used any more. Requests see no drafts.
 */
export function effectOnRequests(type: Type): 'none' | 'changes' | 'revokes' {
  if (revoking.has(type)) return 'revokes';
  return changing.has(type) ? 'changes' : 'none';
}
