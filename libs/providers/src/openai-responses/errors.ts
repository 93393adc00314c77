import { asObject, type JsonObject } from '../json-reader.ts';
import { openAiErrorWord } from '../openai-error.ts';
import type { UpstreamError } from '../upstream-error.ts';

/** Reads an `error` event. Its fields are at the top level or inside `error`. */
export function responsesStreamError(event: JsonObject): UpstreamError {
  return openAiErrorWord(
    asObject(event['error']) ?? { code: event['code'], message: event['message'] },
  );
}

/** Reads the `error` of a response with status `failed`. */
export function responsesFailure(error: JsonObject | undefined): UpstreamError {
  return openAiErrorWord(error ?? {});
}
