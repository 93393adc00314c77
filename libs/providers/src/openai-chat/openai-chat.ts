import { openAiEmbeddings } from '../openai-embeddings.ts';
import { openAiError } from '../openai-error.ts';
import { usualNames } from '../plain-request.ts';
import { streamReader, type Translator } from '../translation.ts';
import { chatBody } from './request.ts';
import { chatParts } from './response.ts';
import { storedCompletion } from './stored.ts';
import { initialChatState } from './state.ts';
import { chatEnd, chatStep } from './stream.ts';
import { readChatEvent } from './wire.ts';

/** The chat completions API of OpenAI and most other servers. */
export const openAiChatTranslator: Translator = {
  path: () => '/chat/completions',
  history: { textsFirst: true, tellsFailuresInText: true },
  names: usualNames,
  body: chatBody,
  stream: () =>
    streamReader({
      initial: initialChatState,
      read: readChatEvent,
      step: chatStep,
      end: chatEnd,
    }),
  whole: chatParts,
  embeddings: openAiEmbeddings,
  error: openAiError,
  stored: { path: (id) => `/chat/completions/${id}`, read: storedCompletion },
};
