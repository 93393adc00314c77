import type { StreamPart } from '@sluice/inference';
import { declaresFailure, errorObject } from './error-object.ts';
import { asObject, type JsonObject } from './json-reader.ts';
import { openAiErrorWord } from './openai-error.ts';

/** Returns the failure that a body with status 200 means. undefined: it is an answer, or no object at all. */
export function wholeFailure(
  body: unknown,
  isAnswer: (object: JsonObject) => boolean,
): readonly StreamPart[] | undefined {
  const object = asObject(body);
  if (!object || (isAnswer(object) && !declaresFailure(object))) return undefined;
  return [{ type: 'error', ...openAiErrorWord(errorObject(object)), usage: undefined }];
}
