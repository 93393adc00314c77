import type { Dialect } from './dialect.ts';

const tokensMax = 128_000;

/** Returns the words of the real API about an input that is longer than the context. */
export function tooLong(dialect: Dialect['name'], inputTokens: number): string {
  const tokens = tokensMax + inputTokens;
  switch (dialect) {
    case 'responses':
      return 'Your input exceeds the context window of this model. Please adjust your input and try again.';
    case 'chat-completions':
      return (
        `This model's maximum context length is ${tokensMax} tokens. However, your messages resulted in ` +
        `${tokens} tokens. Please reduce the length of the messages.`
      );
    case 'messages':
      return `prompt is too long: ${tokens} tokens > ${tokensMax} maximum`;
    case 'generate-content':
    case 'embeddings':
    case 'rerank':
    case 'embed-contents':
      return `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${tokensMax}).`;
  }
}
