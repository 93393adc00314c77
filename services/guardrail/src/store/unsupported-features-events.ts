import { eventCodec } from '@sluice/es';
import type { UnsupportedFeaturesEvent } from '../domain/unsupported-features/events.ts';

/** How the mode of an account for unsupported features lies in streams `unsupportedFeatures-<account id>`. */
export const unsupportedFeaturesEvents = eventCodec<UnsupportedFeaturesEvent>({
  current: { UnsupportedFeaturesModeSet: 1 },
});

export const unsupportedFeaturesStreamPrefix = 'unsupportedFeatures-';
