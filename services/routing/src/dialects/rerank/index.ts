import { errorReply } from '@sluice/client-errors';
import { scanning } from '../body/scanned.ts';
import type { ClientDialect } from '../dialect.ts';
import { parseRerankRequest } from './parse-request.ts';
import { RanksWriter } from './ranks-writer.ts';

/** `POST /rerank`. */
export const rerank: ClientDialect = {
  scan: scanning(parseRerankRequest, ({ documents }) => ({
    stream: () => {
      throw new Error('invariant: ranks are not streamed');
    },
    whole: (head) => new RanksWriter(head, documents),
  })),
  error: errorReply,
};
