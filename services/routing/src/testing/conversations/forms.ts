/** One thing in the words of each client dialect that has it, written by hand. */
export interface Forms<Form> {
  readonly responses: Form;
  readonly 'chat-completions': Form;
  readonly messages: Form;
}

export const conversationDialects = ['responses', 'chat-completions', 'messages'] as const;
export type ConversationDialect = (typeof conversationDialects)[number];

/** Items or messages of a conversation. */
export type Turns = Forms<readonly object[]>;

/** Fields of a body. What stands in `first` comes before all turns, in dialects that have no field for it. */
export type Setting = Forms<{ readonly fields?: object; readonly first?: readonly object[] }>;

export interface Conversation {
  readonly name: string;
  readonly turns: readonly Turns[];
  readonly settings: readonly Setting[];
}

/** Returns the body of a conversation. */
export function bodyOf({ turns, settings }: Conversation, dialect: ConversationDialect): object {
  const first = settings.flatMap((setting) => setting[dialect].first ?? []);
  const said = [...first, ...turns.flatMap((turn) => turn[dialect])];
  const fields: object = Object.assign({}, ...settings.map((setting) => setting[dialect].fields));
  const name = dialect === 'responses' ? 'input' : 'messages';
  return { model: 'sim/echo', ...fields, [name]: said };
}

/** The same in all dialects. */
export function everywhere<Form>(form: Form): Forms<Form> {
  return { responses: form, 'chat-completions': form, messages: form };
}

/** The same in the dialects whose turns are messages of this form. */
export function inMessages(
  responses: readonly object[],
  messages: readonly object[],
  chat = messages,
): Turns {
  return { responses, 'chat-completions': chat, messages };
}
