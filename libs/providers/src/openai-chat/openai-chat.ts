import { openAiError } from '../openai-error.ts';
import { streamReader, type Translator } from '../translation.ts';
import { ChatEventReader } from './event-reader.ts';
import { chatBody } from './request.ts';
import { chatParts } from './response.ts';
import { storedCompletion } from './stored.ts';
import { chatEnd, chatStep, initialChatState } from './stream.ts';

/** "Chat completions", as OpenAI and most other servers speak it. */
export const openAiChatTranslator: Translator = {
  path: () => '/chat/completions',
  emulatesCustomTools: true,
  body: chatBody,
  stream: () => {
    const reader = new ChatEventReader();
    return streamReader({
      initial: initialChatState,
      read: (data) => reader.read(data),
      step: chatStep,
      end: chatEnd,
    });
  },
  whole: chatParts,
  error: openAiError,
  stored: { path: (id) => `/chat/completions/${id}`, read: storedCompletion },
};
