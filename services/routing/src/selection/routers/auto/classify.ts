import type { InferenceRequest } from '@sluice/inference';
import { featureWeights } from './feature-weights.ts';
import { featureNames, type Features, readRequest } from './features.ts';
import { type Found, type Hit, phrasesIn } from './phrases.ts';
import { type TaskType, taskTypes } from './task-types.ts';

/** The class of a request, and what spoke for it. */
export interface Classified {
  readonly task: TaskType;
  /** Names of features, and phrases of the table. */
  readonly evidence: readonly string[];
}

const evidenceMax = 8;
/** The first words often say what is to be done. */
const opening = 30;
const openingWeight = 1.25;
/** The text that a task is about has words of other tasks. */
const contentWeight = 0.45;
const lastLineMax = 160;
const contentMin = 8;
const content = /[:：]\s|\n|["“„«「]/;
const systemWeight = 1;
/** Words of other tasks stand in code, too. */
const besideCode = 0.6;
const withoutCode = 0.5;

/**
 * Returns the task type of a request: the one with the most weight of phrases and features. It reads the edges of the
 * last user message and the beginning of the prompt of the system.
 */
export function classify(request: InferenceRequest): Classified {
  const { prose, system, features } = readRequest(request);
  const scores = new Map<TaskType, number>();
  const heard = new Set<readonly Hit[]>();
  const named: Found[] = [];
  const weightAt = weightsOf(prose);
  for (const found of phrasesIn(prose)) {
    // A phrase counts once.
    if (heard.has(found.hits)) continue;
    heard.add(found.hits);
    named.push(found);
    addHits(scores, found.hits, weightAt(found.at));
  }
  if (system !== '') for (const { hits } of phrasesIn(system)) addHits(scores, hits, systemWeight);
  let task = fallback;
  let best = 0;
  for (const type of taskTypes) {
    const score = scoreOf(type, scores.get(type) ?? 0, features);
    if (score > best) [task, best] = [type, score];
  }
  return { task, evidence: evidenceFor(task, named, features) };
}

/** Returns the weight of a place: before the text that the task is about, in the last line, or in between. */
function weightsOf(prose: string): (at: number) => number {
  const begins = prose.slice(contentMin).search(content);
  const from = begins < 0 ? prose.length : begins + contentMin;
  const lastLine = prose.lastIndexOf('\n') + 1;
  const last = lastLine > 0 && prose.length - lastLine <= lastLineMax ? lastLine : prose.length;
  return (at) => {
    if (at < opening) return openingWeight;
    return at < from || at >= last ? 1 : contentWeight;
  };
}

function addHits(scores: Map<TaskType, number>, hits: readonly Hit[], factor: number): void {
  for (const { type, weight } of hits) scores.set(type, (scores.get(type) ?? 0) + weight * factor);
}

function evidenceFor(task: TaskType, named: readonly Found[], features: Features) {
  const evidence: string[] = [];
  for (const name of featureNames) if (features[name]) evidence.push(name);
  for (const { phrase, hits } of named) {
    if (evidence.length >= evidenceMax) break;
    if (hits.some(({ type }) => type === task)) evidence.push(phrase);
  }
  return evidence.slice(0, evidenceMax);
}

function scoreOf({ name, skill }: TaskType, words: number, features: Features): number {
  if (skill === 'agent' && !features.tools) return 0;
  if (skill === 'vision' && !features.image) return 0;
  const factor =
    skill === 'code'
      ? needsCode.has(name) && !features.code
        ? withoutCode
        : 1
      : features.code
        ? besideCode
        : 1;
  let score = words * factor;
  for (const [feature, weight] of featureWeights.get(name) ?? [])
    if (features[feature]) score += weight;
  return score;
}

const needsCode: ReadonlySet<string> = new Set(['code:review', 'code:refactoring']);

/** The class of a request of which nothing is known. */
const fallback: TaskType = taskTypes.find(({ name }) => name === 'qa_knowledge') ?? {
  name: 'qa_knowledge',
  skill: 'facts',
  strong: [],
  words: [],
  weak: [],
};
