import { isRejection } from '@sluice/errors';
import { errorReply, isCodex } from '@sluice/inference';
import type { AnswerWriters, ClientDialect } from '../dialect.ts';
import { scanBody, scanTurnBytes } from '../body/json-body.ts';
import { parseResponsesRequest, type ResponsesRequest } from './parse-request.ts';
import { EventWriter } from './event-writer.ts';
import { ObjectWriter } from './object-writer.ts';
import type { RequestEcho } from './request-echo.ts';
import { rewriteEcho } from './rewrite-echo.ts';

/** `POST /responses`. */
export const responses: ClientDialect = {
  async scan(body) {
    const shape = body.byteLength > scanTurnBytes ? await scanBody(body) : undefined;
    return {
      parse(defaults) {
        const call = parseResponsesRequest(body, defaults, shape);
        return isRejection(call)
          ? call
          : {
              call,
              writers: (rewrite, leftOut) =>
                writersFor(call, rewriteEcho(call.echo, rewrite, leftOut)),
            };
      },
    };
  },
  error: (problem, context) =>
    errorReply(problem, context, isCodex(context?.client) ? 'codex' : 'service'),
};

function writersFor({ inference }: ResponsesRequest, echo: RequestEcho): AnswerWriters {
  const tellsEncrypted = inference.options?.includesEncryptedReasoning ?? false;
  return {
    stream: (head) => new EventWriter(head, { echo, tellsEncrypted }),
    whole: (head) => new ObjectWriter(head, { echo, tellsEncrypted }),
  };
}
