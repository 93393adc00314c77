/** The part of a page that a model can read. */
export interface Content {
  readonly title: string;
  readonly text: string;
}

/** The page has nothing that a model can read. The message is a sentence for the model. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}
