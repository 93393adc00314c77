import { usualNames } from '../plain-request.ts';
import { MachineReader, type StreamMachine } from '../stream-reader.ts';
import type { Translator } from '../translation.ts';
import { messagesCounting } from './counting.ts';
import { messagesError } from './errors.ts';
import { anthropicReasoningFormat } from './messages.ts';
import { messagesBody } from './request.ts';
import { messagesParts } from './response.ts';
import { initialMessagesState, messagesEnd, messagesStep, type MessagesState } from './stream.ts';
import { messagesUsage } from './usage.ts';
import {
  isMessagesEvent,
  parseMessage,
  parseMessagesEvent,
  readMessagesEvent,
  type MessagesEvent,
} from './wire.ts';

const apiVersion = '2023-06-01';

const messagesMachine: StreamMachine<MessagesState, MessagesEvent> = {
  initial: initialMessagesState,
  parse: parseMessagesEvent,
  isEvent: isMessagesEvent,
  read: readMessagesEvent,
  malformed: { type: 'malformed' },
  step: messagesStep,
  end: messagesEnd,
  usage: ({ usage }) => messagesUsage(usage),
};

/** Anthropic's messages API. */
export const anthropicMessagesTranslator: Translator = {
  path: () => '/messages',
  headers: (apiKey, betas) => ({
    'anthropic-version': apiVersion,
    ...(betas.length > 0 && { 'anthropic-beta': betas.join(',') }),
    ...(apiKey !== undefined && { 'x-api-key': apiKey }),
  }),
  history: {
    textsFirst: true,
    callsNeedTools: true,
    thoughtFormat: anthropicReasoningFormat,
  },
  names: usualNames,
  maySayNothing: true,
  body: messagesBody,
  stream: (onStray) => new MachineReader(messagesMachine, onStray),
  parse: parseMessage,
  whole: messagesParts,
  counting: messagesCounting,
  error: messagesError,
};
