import { usualNames } from '../plain-request.ts';
import { streamReader, type Translator } from '../translation.ts';
import { messagesError } from './errors.ts';
import { anthropicReasoningFormat } from './messages.ts';
import { messagesBody } from './request.ts';
import { messagesParts } from './response.ts';
import { initialMessagesState, messagesEnd, messagesStep } from './stream.ts';
import { readMessagesEvent } from './wire.ts';

const apiVersion = '2023-06-01';

/** Anthropic's messages API. */
export const anthropicMessagesTranslator: Translator = {
  path: () => '/messages',
  headers: (apiKey, betas) => ({
    'anthropic-version': apiVersion,
    ...(betas.length > 0 && { 'anthropic-beta': betas.join(',') }),
    ...(apiKey !== undefined && { 'x-api-key': apiKey }),
  }),
  history: { textsFirst: true, thoughtFormat: anthropicReasoningFormat },
  names: usualNames,
  body: messagesBody,
  stream: () =>
    streamReader({
      initial: initialMessagesState,
      read: readMessagesEvent,
      step: messagesStep,
      end: messagesEnd,
    }),
  whole: messagesParts,
  error: messagesError,
};
