import { Type } from 'typebox';
import { anything, mapOf, oneOf, optional, text } from '../fields.ts';

export const efforts = oneOf('max', 'xhigh', 'high', 'medium', 'low', 'minimal', 'none');

/** The model gives the settings their meaning. */
export const imageConfig = mapOf(
  optional(
    Type.Union([text(), Type.Number(), Type.Array(anything)], {
      mustBe: 'a string, a number or an array',
    }),
  ),
);
