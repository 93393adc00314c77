import type { ModelOptions } from '@sluice/inference';
import type { Preferences } from '../../request/preferences.ts';

/** `service_tier` in OpenAI's words. */
type TierWord =
  | 'auto'
  | 'default'
  | 'fast'
  | 'flex'
  | 'priority'
  | 'scale'
  | 'ultrafast'
  | null
  | undefined;

/** Returns the tier that endpoints must have. */
export function tierOf(tier: TierWord): Preferences['tier'] {
  if (tier === 'fast') return 'priority';
  return tier === 'priority' || tier === 'ultrafast' || tier === 'flex' ? tier : undefined;
}

/** Returns the tier that is sent upstream. `scale` is served by the default tier. */
export function sentTier(tier: TierWord): ModelOptions['serviceTier'] {
  if (tier === 'auto' || tier === 'default' || tier === 'scale') return undefined;
  return tier ?? undefined;
}
