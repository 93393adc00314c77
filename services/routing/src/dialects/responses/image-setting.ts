import { type Check, refuse } from './shape.ts';

/** Of an image, as `image_config` has them: what they mean is the business of the model. */
export const imageSetting: Check = (value, place) => {
  if (typeof value !== 'string' && typeof value !== 'number' && !Array.isArray(value))
    refuse(place, 'must be a string, a number or an array');
};
