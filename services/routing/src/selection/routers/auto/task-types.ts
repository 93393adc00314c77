import types from './task-types.json' with { type: 'json' };

/** The kind of work that a ranking is about. */
export type Skill = 'code' | 'agent' | 'reasoning' | 'writing' | 'language' | 'facts' | 'vision';

/** A task type: the skill that it needs, and the words that speak for it. */
export interface TaskType {
  readonly name: string;
  readonly skill: Skill;
  /**
   * Phrases in lower case. `translat*` stands for all words with this beginning of at least four letters. Others are
   * whole words.
   */
  readonly strong: readonly string[];
  readonly words: readonly string[];
  readonly weak: readonly string[];
}

/** A line of the file has several phrases. */
const phrasesOf = (lines: readonly string[]) => lines.flatMap((line) => line.split(', '));

/** The task types. Among equals the first one wins. */
export const taskTypes: readonly TaskType[] = types.map(({ name, skill, strong, words, weak }) => ({
  name,
  skill: skill as Skill,
  strong: phrasesOf(strong),
  words: phrasesOf(words),
  weak: phrasesOf(weak),
}));
