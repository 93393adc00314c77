import { Type } from 'typebox';
import { field, kindOf, oneOf, optional } from '../fields.ts';

export const cache_control = optional(
  Type.Object({
    type: kindOf('ephemeral'),
    ttl: optional(oneOf('5m', '1h'), 'How long the cached prompt lives.'),
  }),
  'The prompt up to here is worth caching.',
  { type: 'ephemeral' },
);

/** Two words for one thing: the prompt up to here is worth being cached. */
export const cacheMarks = {
  prompt_cache_breakpoint: optional(
    Type.Object({ mode: field(oneOf('explicit'), 'The way of caching.') }),
    'The prompt up to here is worth caching.',
  ),
  cache_control,
};
