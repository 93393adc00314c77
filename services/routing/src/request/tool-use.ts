/** The calls of server tools of a response, and their cost to the account. */
export interface ToolUse {
  /** The calls that the model asked for. */
  readonly requested: number;
  readonly executed: number;
  readonly webSearches: number;
  /** The price of the calls that have one. undefined: none of them has a price. */
  readonly costNanoUsd: bigint | undefined;
}

export const noToolUse: ToolUse = {
  requested: 0,
  executed: 0,
  webSearches: 0,
  costNanoUsd: undefined,
};

export function addToolUse(one: ToolUse, other: ToolUse): ToolUse {
  const isMetered = one.costNanoUsd !== undefined || other.costNanoUsd !== undefined;
  return {
    requested: one.requested + other.requested,
    executed: one.executed + other.executed,
    webSearches: one.webSearches + other.webSearches,
    costNanoUsd: isMetered ? (one.costNanoUsd ?? 0n) + (other.costNanoUsd ?? 0n) : undefined,
  };
}
