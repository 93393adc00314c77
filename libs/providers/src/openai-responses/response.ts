import type { StreamPart } from '@sluice/inference';
import { asObject } from '../json-reader.ts';
import { malformedPart } from '../upstream-error.ts';
import { initialResponsesState, responsesStep } from './stream.ts';
import { readResponse } from './wire.ts';

/** The parts of a whole response: read as the terminal event of a stream, so there is one path. */
export function responsesParts(body: unknown): readonly StreamPart[] {
  const object = asObject(body);
  if (!object) return [malformedPart()];
  const [, parts] = responsesStep(initialResponsesState, {
    type: 'ended',
    response: readResponse(object),
  });
  return parts;
}
