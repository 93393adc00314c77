import type { InferenceRequest, StructuredFormat } from '@sluice/inference';
import { anthropicMessagesTranslator } from './anthropic-messages/anthropic-messages.ts';
import { jsonInstruction } from './anthropic-messages/request.ts';
import { answerSchema } from './anthropic-messages/schema.ts';
import type { Dialect, Endpoint } from './endpoint.ts';
import { googleGeminiTranslator } from './google-gemini/google-gemini.ts';
import { openAiChatTranslator } from './openai-chat/openai-chat.ts';
import { openAiResponsesTranslator } from './openai-responses/openai-responses.ts';
import { prepareCall } from './prepare-request.ts';
import type { Translator } from './translation.ts';

export const translators: Readonly<Record<Dialect, Translator>> = {
  'anthropic-messages': anthropicMessagesTranslator,
  'google-gemini': googleGeminiTranslator,
  'openai-chat': openAiChatTranslator,
  'openai-responses': openAiResponsesTranslator,
};

/** Returns true if the API of an endpoint has a call that counts the input of a request. */
export function canCountInput({ dialect }: Pick<Endpoint, 'dialect'>): boolean {
  return translators[dialect].counting !== undefined;
}

/** Returns the body that an endpoint is sent for a request. */
export function wireBody(endpoint: Endpoint, request: InferenceRequest): unknown {
  return prepareCall(translators[endpoint.dialect], endpoint, request).body;
}

/** Returns the text that a dialect adds for the answer format, to measure it. */
export function formatText(dialect: Dialect, format: StructuredFormat): string {
  if (dialect !== 'anthropic-messages') return JSON.stringify(format);
  if (format.type === 'json-object') return jsonInstruction;
  return JSON.stringify(answerSchema(format.schema));
}
