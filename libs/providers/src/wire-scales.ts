import type { ImageContent, ModelOptions } from '@sluice/inference';

// The scales of Sluice have more steps than those of the providers.

/** Returns the verbosity for the wire, whose scale ends at high. */
export function wireVerbosity(
  verbosity: ModelOptions['verbosity'],
): 'low' | 'medium' | 'high' | undefined {
  return verbosity === 'xhigh' || verbosity === 'max' ? 'high' : verbosity;
}

/** Returns the service tier for the wire. Providers have fewer tiers than we have names. */
export function wireTier(tier: ModelOptions['serviceTier']): string | undefined {
  return tier === 'fast' || tier === 'ultrafast' ? 'priority' : tier;
}

/** Returns the detail of a picture for the wire, whose scale ends at high. */
export function wireDetail(detail: ImageContent['detail']): 'auto' | 'low' | 'high' {
  return detail === 'original' ? 'high' : detail;
}
