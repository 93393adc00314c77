import type { StreamPart } from '@sluice/inference';
import { asObject } from '../json-reader.ts';
import { malformedPart } from '../upstream-error.ts';
import { wholeFailure } from '../whole-failure.ts';
import { readResponse } from './items.ts';
import { initialResponsesState } from './state.ts';
import { responsesStep } from './stream.ts';

/** Reads a whole response as the terminal event of a stream, so that both use the same code. */
export function responsesParts(body: unknown): readonly StreamPart[] {
  const object = asObject(body);
  if (!object) return [malformedPart()];
  const failure = wholeFailure(object, ({ status }) => typeof status === 'string');
  if (failure) return failure;
  const [, parts] = responsesStep(initialResponsesState, {
    type: 'ended',
    response: readResponse(object),
  });
  return parts;
}
