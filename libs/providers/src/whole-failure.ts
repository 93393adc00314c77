import type { StreamPart } from '@sluice/inference';
import { declaresFailure, toldFailure } from './error-object.ts';
import { asObject, type JsonObject } from './json-reader.ts';
import { openAiErrorWord } from './openai-error.ts';
import { malformedPart } from './upstream-error.ts';

/**
 * Returns the failure that a body with status 200 means. undefined: it is an answer, or no object at all.
 * A body that is no answer and reports no failure is malformed.
 */
export function wholeFailure(
  body: unknown,
  isAnswer: (object: JsonObject) => boolean,
): readonly StreamPart[] | undefined {
  const object = asObject(body);
  if (!object || (isAnswer(object) && !declaresFailure(object))) return undefined;
  const failure = toldFailure(object);
  if (!failure) return [malformedPart()];
  return [{ type: 'error', ...openAiErrorWord(failure), usage: undefined }];
}
