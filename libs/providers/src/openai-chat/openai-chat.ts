import { openAiEmbeddings } from '../openai-embeddings.ts';
import { usualRanking } from '../ranking.ts';
import { openAiError } from '../openai-error.ts';
import { usualNames } from '../plain-request.ts';
import { MachineReader, type StreamMachine } from '../stream-reader.ts';
import type { Translator } from '../translation.ts';
import { chatBody } from './request.ts';
import { chatParts } from './response.ts';
import { storedCompletion } from './stored.ts';
import { initialChatState, type ChatState } from './state.ts';
import { chatEnd, chatStep, usageOf } from './stream.ts';
import { isChatEvent, parseChunk, parseCompletion, readChatEvent, type ChatEvent } from './wire.ts';

const chatMachine: StreamMachine<ChatState, ChatEvent> = {
  initial: initialChatState,
  parse: parseChunk,
  isEvent: isChatEvent,
  read: readChatEvent,
  malformed: { type: 'malformed' },
  step: chatStep,
  done: (state) => chatStep(state, { type: 'done' }),
  end: chatEnd,
  usage: usageOf,
};

/** The chat completions API of OpenAI and most other servers. */
export const openAiChatTranslator: Translator = {
  path: () => '/chat/completions',
  history: { textsFirst: true, tellsFailuresInText: true },
  names: usualNames,
  body: chatBody,
  stream: (onStray) => new MachineReader(chatMachine, onStray),
  parse: parseCompletion,
  whole: chatParts,
  embeddings: openAiEmbeddings,
  ranking: usualRanking,
  error: openAiError,
  stored: { path: (id) => `/chat/completions/${id}`, read: storedCompletion },
};
