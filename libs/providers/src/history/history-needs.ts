/** The form that a dialect needs of a conversation, beside calls with their outputs directly after them. */
export interface HistoryNeeds {
  /**
   * Within a turn, texts must stand before calls. Chat completions have both in one message, and Anthropic refuses a
   * text between a call and its output.
   */
  readonly textsFirst: boolean;
  /** The dialect has the items of the tools that providers run. Absent: a picture of them stands in a message. */
  readonly hasNativeItems?: true;
  /** Calls are refused in a request without tools. */
  readonly callsNeedTools?: true;
  /** The model's own messages may have pictures. Absent: they stand in the next message of the user. */
  readonly hasModelPictures?: true;
  /** The dialect has no field for a tool that failed, so the output says it. */
  readonly tellsFailuresInText?: true;
  /** The format of the thoughts that the dialect can read. Absent: it takes the text of any thought. */
  readonly thoughtFormat?: string;
}
