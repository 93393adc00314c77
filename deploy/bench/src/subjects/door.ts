/** A form of request and answer: which field has the input, and how a stream looks. */
export interface Door {
  /** The path below the base URL. */
  readonly path: `/${string}`;
  readonly turnsField: 'input' | 'messages';
  /** The input is one text instead of turns, and the answer its vector. There are no streams. */
  readonly makesVectors?: true;
  /** Occurs exactly once in each delta of a stream. */
  readonly deltaMark: string;
  /** Stands at the end of a whole stream. */
  readonly endMark: string;
}

export const responsesDoor: Door = {
  path: '/responses',
  turnsField: 'input',
  deltaMark: '"delta":"',
  endMark: 'event: response.completed\n',
};

export const chatDoor: Door = {
  path: '/chat/completions',
  turnsField: 'messages',
  deltaMark: '"delta":{"content":"',
  endMark: 'data: [DONE]\n',
};

export const messagesDoor: Door = {
  path: '/messages',
  turnsField: 'messages',
  deltaMark: '"type":"text_delta","text":"',
  endMark: 'event: message_stop\n',
};

export const embeddingsDoor: Door = {
  path: '/embeddings',
  turnsField: 'input',
  makesVectors: true,
  deltaMark: '',
  endMark: '',
};
