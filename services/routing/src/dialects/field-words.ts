import { type FieldWords, responsesWords } from '../request/field-words.ts';

export const chatWords: FieldWords = {
  ...responsesWords,
  route: '/chat/completions',
  input: 'messages',
  outputLimit: 'max_completion_tokens',
};

export const messagesWords: FieldWords = {
  route: '/messages',
  input: 'messages',
  outputLimit: 'max_tokens',
  effort: 'output_config.effort',
  thinkingBudget: 'thinking.budget_tokens',
  thinkingSwitch: 'thinking.type',
};

export const embeddingsWords: FieldWords = { ...responsesWords, route: '/embeddings' };

export const rerankWords: FieldWords = {
  ...responsesWords,
  route: '/rerank',
  input: 'documents',
};
