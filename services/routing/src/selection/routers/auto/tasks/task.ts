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

interface Words {
  readonly strong?: string;
  readonly words?: string;
  readonly weak?: string;
}

const listOf = (text = '') => (text === '' ? [] : text.split(', '));

export const task = (name: string, skill: Skill, { strong, words, weak }: Words): TaskType => ({
  name,
  skill,
  strong: listOf(strong),
  words: listOf(words),
  weak: listOf(weak),
});
