import { asObject, type JsonObject } from '../json-reader.ts';
import { openAiErrorWord } from '../openai-error.ts';
import type { UpstreamError } from '../upstream-error.ts';

/** What an `error` event means: the error itself, or one that wraps it in `error`. */
export function responsesStreamError(event: JsonObject): UpstreamError {
  return openAiErrorWord(
    asObject(event['error']) ?? { code: event['code'], message: event['message'] },
  );
}

/** What `error` of a response with status `failed` means. */
export function responsesFailure(error: JsonObject | undefined): UpstreamError {
  return openAiErrorWord(error ?? {});
}
