import { openAiEmbeddings } from '../openai-embeddings.ts';
import { openAiError } from '../openai-error.ts';
import { usualNames } from '../plain-request.ts';
import { streamReader, type Translator } from '../translation.ts';
import { responsesBody, responsesReasoningFormat } from './request.ts';
import { responsesParts } from './response.ts';
import { initialResponsesState } from './state.ts';
import { storedResponse } from './stored.ts';
import { responsesEnd, responsesStep } from './stream.ts';
import { readResponsesEvent } from './wire.ts';

/** OpenAI's responses API. */
export const openAiResponsesTranslator: Translator = {
  path: () => '/responses',
  history: {
    textsFirst: false,
    hasNativeItems: true,
    tellsFailuresInText: true,
    thoughtFormat: responsesReasoningFormat,
  },
  names: usualNames,
  hasAllTools: true,
  body: responsesBody,
  stream: () =>
    streamReader({
      initial: initialResponsesState,
      read: readResponsesEvent,
      step: responsesStep,
      end: responsesEnd,
    }),
  whole: responsesParts,
  embeddings: openAiEmbeddings,
  error: openAiError,
  stored: { path: (id) => `/responses/${id}`, read: storedResponse },
};
