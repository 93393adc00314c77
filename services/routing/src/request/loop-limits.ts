import type { ServiceBody } from '@sluice/client-schemas';

/** A condition that ends the loop of server tools. */
export type StopCondition = NonNullable<ServiceBody['stop_server_tools_when']>[number];

/** The client's limits for the loop of server tools. */
export interface LoopLimits {
  /** Calls of server tools. If absent, the limit of the service applies. */
  readonly callsMax?: number;
  /** Replaces the limit of calls. */
  readonly stopWhen?: readonly StopCondition[];
}
