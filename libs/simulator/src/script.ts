import type { OutputPart } from './generation.ts';
import type { Prompt } from './prompt.ts';

/** The wish of a script, in place of the usual answer. */
export interface Scripted {
  /** The whole answer. Absent: the usual one. */
  readonly parts?: readonly OutputPart[];
  /** More directives, as `cut-3`. */
  readonly directives?: readonly string[];
  /** The prompt is data: directives in it are none. */
  readonly isOfData?: true;
}

/** Plays the model. Returns undefined for a prompt that it has no opinion of. */
export type Script = (prompt: Prompt) => Scripted | undefined;
