import { errorReply } from '@sluice/client-errors';
import { scanning } from '../body/scanned.ts';
import type { ClientDialect } from '../dialect.ts';
import { EventWriter } from './event-writer.ts';
import { MessageWriter } from './message-writer.ts';
import { parseMessagesRequest } from './parse-request.ts';

/** `POST /messages`. */
export const messages: ClientDialect = {
  scan: scanning(parseMessagesRequest, () => ({
    stream: (head) => new EventWriter(head),
    whole: (head) => new MessageWriter(head),
  })),
  error: (problem, context) => errorReply(problem, context, 'anthropic'),
};

/** `POST /messages/count_tokens`. */
export const countTokens: ClientDialect = {
  ...messages,
  tellCount: (inputTokens) => ({
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ input_tokens: inputTokens }),
  }),
};
