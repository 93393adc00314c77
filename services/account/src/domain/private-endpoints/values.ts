import type { Issue } from '@sluice/errors';
import type { DeclaredRegion, EndpointPricing } from './events.ts';

const upstreamModelCharactersMax = 512;
const baseUrlCharactersMax = 2_048;
const unwritable = /[\p{Cc}\p{Cs}]/u;
/** Below 1,000,000 USD for a token, with 18 decimal places: what routing counts with. */
const pricePattern = /^\d{1,6}(?:\.\d{1,18})?$/;

export const declaredRegions: readonly DeclaredRegion[] = ['global', 'europe', 'us'];

/** Providers whose credentials may tell the address. */
const derivingProviders: ReadonlySet<string> = new Set(['azure']);

export function upstreamModelIssues(upstreamModelId: string): readonly Issue[] {
  const isWritable =
    upstreamModelId.trim() !== '' &&
    upstreamModelId.length <= upstreamModelCharactersMax &&
    !unwritable.test(upstreamModelId);
  const message = `must be a text of 1 to ${upstreamModelCharactersMax} characters without control characters`;
  return isWritable ? [] : [{ path: 'upstream_model_id', message }];
}

/** Returns the problem of an address. Whether it may be called is routing's to say. */
export function baseUrlIssues(baseUrl: string | null, provider: string): readonly Issue[] {
  const issue = (message: string) => [{ path: 'base_url', message }];
  if (baseUrl === null)
    return derivingProviders.has(provider) ? [] : issue(`must be given for ${provider}`);
  if (baseUrl.length > baseUrlCharactersMax)
    return issue(`must have at most ${baseUrlCharactersMax} characters`);
  const url = URL.parse(baseUrl);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return issue('must be an https URL');
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(baseUrl))
    return issue('must not have a query or a fragment');
  return [];
}

export function pricingIssues(pricing: EndpointPricing): readonly Issue[] {
  const message =
    'must be USD per token as a decimal string: at most 6 digits, then 18 decimal places';
  return (['prompt', 'completion'] as const)
    .filter((name) => !pricePattern.test(pricing[name]))
    .map((name) => ({ path: `pricing.${name}`, message }));
}
