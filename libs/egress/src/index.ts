export { type AllowList, allowNothing, InvalidAllowList, parseAllowList } from './allow-list.ts';
export { type CheckedDial, type CheckedDialOptions, createDial } from './dial.ts';
export {
  type CheckedRoute,
  type CheckedRouteOptions,
  createCheckedRoute,
} from './checked-route.ts';
export type { Reroute } from './checked-connector.ts';
export { createEgress, type Egress, type EgressOptions } from './egress.ts';
export {
  EgressError,
  type EgressFailure,
  type EgressFailureReason,
  isEgressFailure,
  isForbiddenAddress,
} from './failure.ts';
export type { EgressReply, EgressRequest } from './request.ts';
export type { StreamLimits } from './checked-fetch.ts';
export { parseTarget, type TargetRules } from './target.ts';
