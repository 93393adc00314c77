import { type Check, refuse } from './shape.ts';

/** A value of `image_config`. The model gives it its meaning. */
export const imageSetting: Check = (value, place) => {
  if (typeof value !== 'string' && typeof value !== 'number' && !Array.isArray(value))
    refuse(place, 'must be a string, a number or an array');
};
