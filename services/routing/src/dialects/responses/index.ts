import { errorReply, isCodex } from '@sluice/client-errors';
import { scanning } from '../body/scanned.ts';
import type { ClientDialect } from '../dialect.ts';
import { EventWriter } from './write/event-writer.ts';
import { ObjectWriter } from './write/object-writer.ts';
import { parseResponsesRequest } from './read/parse-request.ts';
import { rewriteEcho } from './echo/rewrite-echo.ts';

/** `POST /responses`. */
export const responses: ClientDialect = {
  scan: scanning(parseResponsesRequest, ({ inference, echo: asked }, sent, leftOut) => {
    const echo = rewriteEcho(asked, { asked: inference, sent, leftOut });
    const { includesEncryptedReasoning: tellsEncrypted = false, reasoning } =
      inference.options ?? {};
    const repeated = { echo, tellsEncrypted, tellsSummaries: reasoning?.summary !== undefined };
    return {
      stream: (head) => new EventWriter(head, repeated),
      whole: (head) => new ObjectWriter(head, repeated),
    };
  }),
  error: (problem, context) =>
    errorReply(problem, context, isCodex(context?.client) ? 'codex' : 'service'),
};
