import { optional, text } from '../fields.ts';
import { limits } from './limits.ts';

/** The model that wrote a message of the assistant. The auto router keeps to it with `pin_model`. */
export const answeringModel = optional(
  text({ max: limits.identifierCharactersMax }),
  'The model that wrote the message, for `pin_model` of the plugin `auto-router`.',
  'sim/echo',
);
