import { findProvider, type ModelInfo } from '@pydantic/genai-prices';
import type { ListedModel } from './listed-model.ts';
import { pricingAt, type ConditionalPrices } from './pricing-at.ts';

/** The models of a provider of the package whose prices can be said exactly. */
export function modelsInList(provider: string, instant: Date): readonly ListedModel[] {
  const { models = [] } = findProvider({ providerId: provider }) ?? {};
  return models.flatMap((model) => {
    const pricing = isDoubted(model) ? undefined : pricingAt(pricesOf(model), instant);
    if (!pricing) return [];
    const { id: name, name: title, context_window: contextLength } = model;
    return [{ name, title, contextLength, pricing }];
  });
}

/** True if the model is no longer sold, or its price was copied from a reseller. */
function isDoubted({ deprecated, price_comments: comments = '' }: ModelInfo): boolean {
  return deprecated === true || /^retired\b|\bopen ?router\b/i.test(comments);
}

function pricesOf({ prices }: ModelInfo): ConditionalPrices {
  return Array.isArray(prices) ? prices : [{ prices }];
}
