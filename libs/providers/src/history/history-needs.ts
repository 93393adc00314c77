/** The form that a dialect needs of a conversation, beside calls with their outputs directly after them. */
export interface HistoryNeeds {
  /**
   * Within a turn, texts must stand before calls. Chat completions have both in one message, and Anthropic refuses a
   * text between a call and its output.
   */
  readonly textsFirst: boolean;
  /** The format of the thoughts that the dialect can read. Absent: it takes the text of any thought. */
  readonly thoughtFormat?: string;
}
