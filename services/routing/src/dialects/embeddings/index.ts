import { errorReply } from '@sluice/client-errors';
import { scanning } from '../body/scanned.ts';
import type { ClientDialect } from '../dialect.ts';
import { parseEmbeddingsRequest } from './parse-request.ts';
import { VectorsWriter } from './vectors-writer.ts';

/** `POST /embeddings`. */
export const embeddings: ClientDialect = {
  scan: scanning(parseEmbeddingsRequest, ({ isBase64 }) => ({
    stream: () => {
      throw new Error('invariant: vectors are not streamed');
    },
    whole: (head) => new VectorsWriter(head, { isBase64 }),
  })),
  error: errorReply,
};
