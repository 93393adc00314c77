import type { UnsupportedFeaturesEvent, UnsupportedFeaturesMode } from './events.ts';

export interface UnsupportedFeatures {
  readonly mode: UnsupportedFeaturesMode;
}

export const initial: UnsupportedFeatures = { mode: 'lenient' };

export function evolve(
  _features: UnsupportedFeatures,
  event: UnsupportedFeaturesEvent,
): UnsupportedFeatures {
  switch (event.type) {
    case 'UnsupportedFeaturesModeSet':
      return { mode: event.data.mode };
  }
}
