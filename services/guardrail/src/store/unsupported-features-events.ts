import { eventCodec } from '@sluice/es';
import { unsupportedFeaturesStream } from '../domain/unsupported-features/events.ts';

/** The storage format of the mode of an account for unsupported features. */
export const unsupportedFeaturesEvents = eventCodec(unsupportedFeaturesStream);
