import { openAiEmbeddings } from '../openai-embeddings.ts';
import { usualRanking } from '../ranking.ts';
import { openAiError } from '../openai-error.ts';
import { usualNames } from '../plain-request.ts';
import { MachineReader, type StreamMachine } from '../stream-reader.ts';
import type { Translator } from '../translation.ts';
import { responsesBody, responsesReasoningFormat } from './request.ts';
import { parseResponse } from './items.ts';
import { responsesParts } from './response.ts';
import { initialResponsesState, type ResponsesState } from './state.ts';
import { storedResponse } from './stored.ts';
import { responsesEnd, responsesStep } from './stream.ts';
import {
  isResponsesEvent,
  parseResponsesEvent,
  readResponsesEvent,
  type ResponsesEvent,
} from './wire.ts';

const responsesMachine: StreamMachine<ResponsesState, ResponsesEvent> = {
  initial: initialResponsesState,
  parse: parseResponsesEvent,
  isEvent: isResponsesEvent,
  read: readResponsesEvent,
  malformed: { type: 'malformed' },
  step: responsesStep,
  end: responsesEnd,
  usage: () => undefined,
};

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
  stream: (onStray) => new MachineReader(responsesMachine, onStray),
  parse: parseResponse,
  whole: responsesParts,
  embeddings: openAiEmbeddings,
  ranking: usualRanking,
  error: openAiError,
  stored: { path: (id) => `/responses/${id}`, read: storedResponse },
};
