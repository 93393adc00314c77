/** The phrases that an account allows. Names and shapes are the storage format: see store/. */
export type GuardrailPhrasesEvent = GuardrailPhrasesSet;

/** These phrases, and no others, are allowed from now on. */
export interface GuardrailPhrasesSet {
  readonly type: 'GuardrailPhrasesSet';
  readonly data: {
    readonly accountId: string;
    readonly phrases: readonly string[];
    readonly setAt: string;
  };
}
