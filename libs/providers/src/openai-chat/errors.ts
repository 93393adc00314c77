import { openAiErrorWord } from '../openai-error.ts';
import { asObject, asString, type JsonObject } from '../json-reader.ts';
import type { UpstreamError } from '../upstream-error.ts';

/** Reads an `{"error": …}` among the chunks of a stream, or in a body with status 200. */
export function chatStreamError(body: JsonObject): UpstreamError {
  const error = asObject(body['error']) ?? { message: asString(body['error']) };
  return openAiErrorWord(error);
}
