import type { ClientDialectName } from '@sluice/inference-port';

/** A format in which clients ask a model. */
export interface Door {
  readonly dialect: ClientDialectName;
  /** Returns the fields of a body that asks this, after these instructions and earlier turns. */
  readonly asks: (text: string, before?: readonly Turn[]) => object;
}

/** A message of a conversation. Its role is `system`, `user` or `assistant`. */
export interface Turn {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

const outputTokensMax = 900;
const conversation = (text: string, before: readonly Turn[]): readonly Turn[] => [
  ...before,
  { role: 'user', content: text },
];

export const responses: Door = {
  dialect: 'responses',
  asks: (text, before = []) => ({
    input: conversation(text, before),
    max_output_tokens: outputTokensMax,
  }),
};

/** The formats of a conversation, for tests of what is the same in each. */
export const doors: readonly Door[] = [
  responses,
  {
    dialect: 'chat-completions',
    asks: (text, before = []) => ({
      messages: conversation(text, before),
      max_completion_tokens: outputTokensMax,
    }),
  },
  {
    dialect: 'messages',
    asks: (text, before = []) => ({
      messages: conversation(text, before),
      max_tokens: outputTokensMax,
    }),
  },
];
