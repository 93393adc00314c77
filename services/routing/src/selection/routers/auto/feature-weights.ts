import type { Features } from './features.ts';

type Weights = Partial<Record<keyof Features, number>>;

/** The weight of each feature for each task type. A strong phrase has 3, a word 2 and a weak word 0.7. */
const weights: Readonly<Record<string, Weights>> = {
  'code:debugging': { code: 2, trace: 3, question: 0.5 },
  'code:review': { code: 2, diff: 2 },
  'code:refactoring': { code: 2 },
  'code:testing': { code: 1.5 },
  'code:explanation': { code: 2, question: 1 },
  'code:sql': { sql: 3.5 },
  'code:frontend': { markup: 3 },
  'code:devops': { trace: 0.5 },
  'code:generation': { code: 1.5 },
  'agent:multi_step_planning': { tools: 6, many_tools: 1 },
  'agent:web_research': { tools: 6, web_tools: 2 },
  'agent:file_editing': { tools: 6, file_tools: 2.5 },
  'agent:tool_use': { tools: 7, brief: 1.5 },
  'vision:description': { image: 9 },
  math: { formula: 2.5, figures: -1 },
  data_analysis: { figures: 3 },
  summarization: { transcript: 3, long: 1, quoted: 0.5 },
  classification: { options: 2, quoted: 0.6 },
  rewriting: { long: 0.3, quoted: 0.8 },
  translation: { quoted: 0.8 },
  extraction: { quoted: 0.6 },
  conversation: { brief: 0.4, long: -1 },
  qa_knowledge: { question: 0.8, brief: 0.5 },
  legal: { question: 0.3 },
  health: { question: 0.3 },
};

/** The features of each task type that has any. */
export const featureWeights: ReadonlyMap<string, readonly (readonly [keyof Features, number])[]> =
  new Map(
    Object.entries(weights).map(([name, own]) => [
      name,
      Object.entries(own) as (readonly [keyof Features, number])[],
    ]),
  );
