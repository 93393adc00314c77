import { type Catalog, toolCostNanoUsd, toolWorstNanoUsd } from '@sluice/catalog';
import type { ToolCharge } from '../tool.ts';

/** Prices the seconds of commands, as the operator's `tool_prices` have them. Free if there are none. */
export function sandboxPricing(catalog: Pick<Catalog, 'toolPrices'>, tool: string) {
  const price = () => catalog.toolPrices.find({ tool, engine: '' });
  return {
    worst(seconds: number): bigint {
      const found = price();
      return found ? toolWorstNanoUsd(found, { seconds }) : 0n;
    },
    charge(seconds: number): ToolCharge {
      const found = price();
      const counts = { seconds: Math.ceil(seconds) };
      return { costNanoUsd: found ? toolCostNanoUsd(found, counts) : 0n, counts };
    },
  };
}
