/** One deployable part: made by its `createService(deps)`, without sockets of its own. */
export interface Service {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Why it cannot serve now; empty when it can. */
  unreadiness(): readonly string[];
}
