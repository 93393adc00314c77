import type { Finding } from './span.ts';

/** Finds one kind of content. Its work grows with the text, whatever the text is. */
export interface Recognizer {
  /** The findings may overlap. A long search calls `pause`, which throws to end it. */
  find(text: string, pause?: () => void): readonly Finding[];
}
