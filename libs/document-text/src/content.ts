/** The part of a document that a model can read. */
export interface Content {
  readonly title: string;
  readonly text: string;
  /** Absent: the document has no pages. */
  readonly pages?: number;
  /** Pages without a text, as scanned ones are. Absent: there are none. */
  readonly emptyPages?: number;
}

/** The document has nothing that a model can read. The message is a sentence for the model or the client. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}
