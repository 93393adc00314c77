import { readRows } from '../data.ts';
import type { Sample } from '../evaluate.ts';

export interface Evasion extends Sample {
  readonly group: 'disguised' | 'plain' | 'innocent';
  /** The name of the trick that disguises the value. */
  readonly trick?: string;
}

export interface Prompt {
  readonly text: string;
  readonly language: string;
  readonly attack: boolean;
  /** Present for attacks only. */
  readonly style?: string;
}

export interface ModeratedText {
  readonly text: string;
  readonly language: string;
  /** A moderation should flag it. */
  readonly flag: boolean;
  /** Present only where `flag` is true. */
  readonly category?: string;
}

/** The texts that were written blind. The README says what they must not be used for. */
export const blindTexts = {
  evasions: readRows(fileOf('evasions.jsonl')) as readonly Evasion[],
  prompts: readRows(fileOf('injection.jsonl')) as readonly Prompt[],
  moderated: readRows(fileOf('moderation.jsonl')) as readonly ModeratedText[],
};

function fileOf(name: string): URL {
  return new URL(name, import.meta.url);
}
