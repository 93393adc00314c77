import { errorReply } from '@sluice/client-errors';
import { scanning } from '../body/scanned.ts';
import type { ClientDialect } from '../dialect.ts';
import { ChunkWriter } from './chunk-writer.ts';
import { CompletionWriter } from './completion-writer.ts';
import { parseChatRequest } from './parse-request.ts';

/** `POST /chat/completions`. */
export const chatCompletions: ClientDialect = {
  scan: scanning(parseChatRequest, ({ form }) => ({
    stream: (head) => new ChunkWriter(head, form),
    whole: (head) => new CompletionWriter(head, form),
  })),
  error: errorReply,
};
