import type { Rejection } from '@sluice/errors';
import { type Availability, availability } from './availability.ts';

/** None of the models exists. */
export function modelNotFound(requested: readonly string[]): Rejection {
  const [first = ''] = requested;
  return {
    rejected: 'model_not_found',
    message: `${first} is not a valid model ID`,
    metadata: { availability: availability('model_not_found', requested) },
  };
}

/** Nothing that is listed costs nothing. */
export function noFreeModel(requested: readonly string[]): Rejection {
  return no('not_found', 'There is no free model', availability('no_endpoints', requested));
}

const freeSuffix = ':free';

/** The name of the model that a free variant was of; undefined: the name is of no free variant. */
export function paidVariantOf(id: string): string | undefined {
  return id.endsWith(freeSuffix) ? id.slice(0, -freeSuffix.length) : undefined;
}

/** A model was free, and is not any more. */
export function freeVariantEnded(requested: readonly string[]): Rejection {
  const [model = ''] = requested;
  const paid = paidVariantOf(model) ?? model;
  const text = `The free variant of ${paid} has ended: ${paid} is served at its price`;
  return no('not_found', text, availability('free_variant_ended', requested));
}

function no(rejected: Rejection['rejected'], message: string, details: Availability): Rejection {
  return { rejected, message, metadata: { availability: details } };
}
