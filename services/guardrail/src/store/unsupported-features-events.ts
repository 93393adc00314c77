import { aggregateEvents } from '@sluice/boot/aggregate-events';
import { unsupportedFeatures } from '../domain/unsupported-features/decide.ts';
import { unsupportedFeaturesStream } from '../domain/unsupported-features/events.ts';

/** The modes of accounts for unsupported features, each under the id of its account. */
export const unsupportedFeaturesEvents = aggregateEvents(
  unsupportedFeatures,
  unsupportedFeaturesStream,
);
