import type { ClientDialectName } from '@sluice/inference-port';
import { chatCompletions } from './chat-completions/index.ts';
import type { ClientDialect } from './dialect.ts';
import { embeddings } from './embeddings/index.ts';
import { chatWords, embeddingsWords, messagesWords, rerankWords } from './field-words.ts';
import { countTokens, messages } from './messages/index.ts';
import { rerank } from './rerank/index.ts';
import { responses } from './responses/index.ts';

/** The API formats of clients. */
export const dialects: Readonly<Record<ClientDialectName, ClientDialect>> = {
  responses,
  messages: { ...messages, words: messagesWords, settingsAreWishes: true },
  'count-tokens': countTokens,
  embeddings: { ...embeddings, words: embeddingsWords },
  rerank: { ...rerank, words: rerankWords },
  'chat-completions': { ...chatCompletions, words: chatWords },
};
