import { errorReply, isCodex } from '@sluice/inference';
import { scanning } from '../body/scanned.ts';
import type { ClientDialect } from '../dialect.ts';
import { EventWriter } from './event-writer.ts';
import { ObjectWriter } from './object-writer.ts';
import { parseResponsesRequest } from './parse-request.ts';
import { rewriteEcho } from './rewrite-echo.ts';

/** `POST /responses`. */
export const responses: ClientDialect = {
  scan: scanning(parseResponsesRequest, ({ inference, echo: asked }, rewrite, leftOut) => {
    const echo = rewriteEcho(asked, rewrite, leftOut);
    const tellsEncrypted = inference.options?.includesEncryptedReasoning ?? false;
    return {
      stream: (head) => new EventWriter(head, { echo, tellsEncrypted }),
      whole: (head) => new ObjectWriter(head, { echo, tellsEncrypted }),
    };
  }),
  error: (problem, context) =>
    errorReply(problem, context, isCodex(context?.client) ? 'codex' : 'service'),
};
