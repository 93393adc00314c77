/** One deployable part: made by its `createService(deps)`, without sockets of its own. */
export interface Service {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Why it cannot serve now; empty when it can. */
  unreadiness(): readonly string[];
  /** Reasons why it serves only a part, or stale data; empty when nothing is missing. */
  degradation(): readonly string[];
}

/** Returns the part of a service that its admin port reports. */
export function readinessOf(
  service: Pick<Service, 'unreadiness' | 'degradation'>,
): Pick<Service, 'unreadiness' | 'degradation'> {
  return {
    unreadiness: () => service.unreadiness(),
    degradation: () => service.degradation(),
  };
}
