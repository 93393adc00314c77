/** An answer that a model gives, and that the cache repeats. */
export interface CachedAnswer {
  readonly name: string;
  /** Pieces of six bytes in the text. Each is an event of a stream. */
  readonly deltas: number;
  readonly isStreaming: boolean;
}

export const shortAnswer: CachedAnswer = {
  name: 'answers of 200 B',
  deltas: 33,
  isStreaming: false,
};

/** The answers whose hits are compared with misses. */
export const cachedAnswers: readonly CachedAnswer[] = [
  shortAnswer,
  { name: 'answers of 4 KB', deltas: 683, isStreaming: false },
  { name: 'streams of 32 words', deltas: 32, isStreaming: true },
  { name: 'streams of 512 words', deltas: 512, isStreaming: true },
];
