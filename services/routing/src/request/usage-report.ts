import {
  addTokens,
  costSharesNanoUsd,
  type Prices,
  searchCostNanoUsd,
  type TokenUsage,
} from '@sluice/inference';
import { addToolUse, noToolUse, type ToolUse } from './tool-use.ts';

/** The usage of model calls, and of the tools that ran between them, and the cost to the account. */
export interface UsageReport {
  readonly tokens: TokenUsage;
  /** With the cost of tools. */
  readonly costNanoUsd: bigint;
  /** The list price; present only with an own credential. */
  readonly listNanoUsd?: bigint | undefined;
  readonly inputCostNanoUsd: bigint;
  readonly outputCostNanoUsd: bigint;
  /** True if a model call used an own credential. */
  readonly isByok: boolean;
  /** Absent: no server tool was called. */
  readonly tools?: ToolUse | undefined;
}

/** The usage of a response whose model was not called. */
export const noUsage: UsageReport = {
  tokens: { inputTokens: 0, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0 },
  costNanoUsd: 0n,
  inputCostNanoUsd: 0n,
  outputCostNanoUsd: 0n,
  isByok: false,
};

interface Charged {
  readonly isByok: boolean;
  readonly costNanoUsd: bigint;
  readonly feeNanoUsd: bigint;
}

/**
 * Reports a model call at the prices of the endpoint that served it. With an own credential, credits pay the
 * fee, and the cost is the list price.
 */
export function usageReport(
  tokens: TokenUsage,
  prices: Prices,
  { isByok, costNanoUsd, feeNanoUsd }: Charged,
): UsageReport {
  const { inputNanoUsd, outputNanoUsd } = costSharesNanoUsd(tokens, prices);
  return {
    tokens,
    costNanoUsd: isByok ? feeNanoUsd : costNanoUsd,
    listNanoUsd: isByok ? costNanoUsd : undefined,
    inputCostNanoUsd: inputNanoUsd,
    outputCostNanoUsd: outputNanoUsd,
    isByok,
    ...searchUse(tokens, prices, isByok),
  };
}

/** Returns the searches that the provider made. Their price is a part of the cost of the model call. */
function searchUse(
  tokens: TokenUsage,
  prices: Prices,
  isByok: boolean,
): Pick<UsageReport, 'tools'> | undefined {
  const { webSearches = 0 } = tokens;
  if (webSearches === 0) return undefined;
  const costNanoUsd = isByok ? undefined : searchCostNanoUsd(tokens, prices);
  return { tools: { ...noToolUse, webSearches, costNanoUsd } };
}

/** Adds the usage of two model calls of one response. */
export function addUsage(one: UsageReport, other: UsageReport): UsageReport {
  const hasTools = one.tools !== undefined || other.tools !== undefined;
  const hasList = one.listNanoUsd !== undefined || other.listNanoUsd !== undefined;
  return {
    tokens: addTokens(one.tokens, other.tokens),
    costNanoUsd: one.costNanoUsd + other.costNanoUsd,
    listNanoUsd: hasList ? (one.listNanoUsd ?? 0n) + (other.listNanoUsd ?? 0n) : undefined,
    inputCostNanoUsd: one.inputCostNanoUsd + other.inputCostNanoUsd,
    outputCostNanoUsd: one.outputCostNanoUsd + other.outputCostNanoUsd,
    isByok: one.isByok || other.isByok,
    ...(hasTools && { tools: addToolUse(one.tools ?? noToolUse, other.tools ?? noToolUse) }),
  };
}

/** Adds calls of tools to a usage. The cost of the usage then includes theirs. */
export function withToolUse(usage: UsageReport, tools: ToolUse): UsageReport {
  return {
    ...usage,
    costNanoUsd: usage.costNanoUsd + (tools.costNanoUsd ?? 0n),
    tools: addToolUse(usage.tools ?? noToolUse, tools),
  };
}
