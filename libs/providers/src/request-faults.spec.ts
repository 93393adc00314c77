import { describe, expect, test } from 'vitest';
import { anthropicMessagesTranslator } from './anthropic-messages/anthropic-messages.ts';
import { googleGeminiTranslator } from './google-gemini/google-gemini.ts';
import { openAiResponsesTranslator } from './openai-responses/openai-responses.ts';
import { requestFault } from './request-faults.ts';

describe('the reason of a refused request', () => {
  test.each([
    ['string_above_max_length', 'string_too_long'],
    ['content_filter', 'content_policy_violation'],
    ['image_content_policy_violation', 'content_policy_violation'],
    ['invalid_base64_image', 'invalid_image'],
    ['invalid_image_format', 'unsupported_image_format'],
    ['image_file_too_large', 'image_too_large'],
    ['image_too_small', 'image_too_small'],
    ['failed_to_download_image', 'image_download_failed'],
    ['image_file_not_found', 'image_not_found'],
    ['something_else', undefined],
    [undefined, undefined],
  ])('follows from its code: %s gives %s', (word, code) => {
    expect(requestFault(word, undefined)).toBe(code);
  });

  test('is the same for a status, in a stream and in a failed response', () => {
    const error = { code: 'image_too_large', message: 'The image is 30 MB' };
    const meant = { code: 'image_too_large', message: 'The image is 30 MB' };
    expect(openAiResponsesTranslator.error(400, { error })).toMatchObject(meant);
    const response = { id: 'r', status: 'failed', error, output: [] };
    expect(openAiResponsesTranslator.whole(response).at(-1)).toMatchObject({
      type: 'error',
      ...meant,
    });
  });

  test.each([
    ['Could not process image', 'invalid_image'],
    ['image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes', 'image_too_large'],
    ['Unable to download the file. Please verify the URL', 'image_download_failed'],
    ['prompt is too long: 250000 tokens > 200000 maximum', 'context_length_exceeded'],
    ['messages: at least one message is required', 'invalid_request'],
  ])('follows from the message of Anthropic: %s', (message, code) => {
    const body = { type: 'error', error: { type: 'invalid_request_error', message } };
    expect(anthropicMessagesTranslator.error(400, body)).toMatchObject({ code, message });
  });

  test('follows from the message of Google', () => {
    const error = {
      code: 400,
      status: 'INVALID_ARGUMENT',
      message: 'Unable to process input image',
    };
    expect(googleGeminiTranslator.error(400, { error })).toMatchObject({ code: 'invalid_image' });
  });
});
