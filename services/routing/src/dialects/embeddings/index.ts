import { isRejection } from '@sluice/errors';
import { errorReply } from '@sluice/inference';
import type { AnswerWriters, ClientDialect } from '../dialect.ts';
import { scanBody, scanTurnBytes } from '../body/json-body.ts';
import { parseEmbeddingsRequest } from './parse-request.ts';
import { VectorsWriter } from './vectors-writer.ts';

/** `POST /embeddings`. */
export const embeddings: ClientDialect = {
  async scan(body) {
    const shape = body.byteLength > scanTurnBytes ? await scanBody(body) : undefined;
    return {
      parse(defaults) {
        const call = parseEmbeddingsRequest(body, defaults, shape);
        return isRejection(call) ? call : { call, writers: () => writersFor(call) };
      },
    };
  },
  error: errorReply,
};

function writersFor({ isBase64 }: { readonly isBase64: boolean }): AnswerWriters {
  return {
    stream: () => {
      throw new Error('invariant: vectors are not streamed');
    },
    whole: (head) => new VectorsWriter(head, { isBase64 }),
  };
}
