import { affordableOutputTokens as affordableAt, holdNanoUsd } from '@sluice/inference';
import type { Model } from '../catalog/catalog.ts';
import type { InputBounds } from './input-bound.ts';

/** What a client that names no limit gets. */
const outputTokensDefault = 4_096;
/** Beyond it no model goes and a number would not be exact. */
const countableMax = 2n ** 50n;

/** What the client asks for, as far as the model goes. */
export function outputTokensWanted(asked: number | undefined, model: Model): number {
  return Math.min(asked ?? outputTokensDefault, model.outputTokensMax ?? Infinity);
}

/** The dearest endpoint decides: any of them may be the one that answers. */
export function worstCaseNanoUsd(model: Model, input: InputBounds, outputTokens: number): bigint {
  const bounds = { ...input, outputTokensMax: outputTokens };
  let worst = 0n;
  for (const { prices } of model.endpoints) {
    const cost = holdNanoUsd(bounds, prices);
    if (cost > worst) worst = cost;
  }
  return worst;
}

/** How many output tokens an amount pays for at every endpoint; below 0: not even the input. */
export function affordableOutputTokens(
  model: Model,
  input: InputBounds,
  affordableNanoUsd: bigint,
): number {
  return Math.min(
    ...model.endpoints.map(({ prices }) => {
      const tokens = affordableAt(input, prices, affordableNanoUsd);
      return tokens === undefined || tokens > countableMax ? Infinity : Number(tokens);
    }),
  );
}
