import { isRejection } from '@sluice/errors';
import { errorReply } from '@sluice/inference';
import { scanBody, scanTurnBytes } from '../body/json-body.ts';
import type { AnswerHead, ClientDialect } from '../dialect.ts';
import { EventWriter } from './event-writer.ts';
import { MessageWriter } from './message-writer.ts';
import { parseMessagesRequest } from './parse-request.ts';

const writers = {
  stream: (head: AnswerHead) => new EventWriter(head),
  whole: (head: AnswerHead) => new MessageWriter(head),
};

/** `POST /messages`. */
export const messages: ClientDialect = {
  async scan(body) {
    const shape = body.byteLength > scanTurnBytes ? await scanBody(body) : undefined;
    return {
      parse(defaults) {
        const call = parseMessagesRequest(body, defaults, shape);
        return isRejection(call) ? call : { call, writers: () => writers };
      },
    };
  },
  error: (problem, context) => errorReply(problem, context, 'anthropic'),
};

/** `POST /messages/count_tokens`: the estimate that a request is admitted by. */
export const countTokens: ClientDialect = {
  ...messages,
  tellCount: (inputTokens) => ({
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ input_tokens: inputTokens }),
  }),
};
