import { isRejection } from '@sluice/errors';
import { errorReply } from '@sluice/inference';
import type { AnswerHead, AnswerWriters, ClientDialect } from '../dialect.ts';
import { scanBody, scanTurnBytes } from '../body/json-body.ts';
import { ChunkWriter } from './chunk-writer.ts';
import { CompletionWriter } from './completion-writer.ts';
import { parseChatRequest } from './parse-request.ts';

/** `POST /chat/completions`. */
export const chatCompletions: ClientDialect = {
  async scan(body) {
    const shape = body.byteLength > scanTurnBytes ? await scanBody(body) : undefined;
    return {
      parse(defaults) {
        const call = parseChatRequest(body, defaults, shape);
        if (isRejection(call)) return call;
        const { form } = call;
        const writers = {
          stream: (head: AnswerHead) => new ChunkWriter(head, form),
          whole: (head: AnswerHead) => new CompletionWriter(head, form),
        } satisfies AnswerWriters;
        return { call, writers: () => writers };
      },
    };
  },
  error: (problem, context) => errorReply(problem, context),
};
