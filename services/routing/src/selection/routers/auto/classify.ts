import type { InferenceRequest } from '@sluice/inference';
import { type Signal, signalWeights } from './feature-weights.ts';
import { featureNames, type Features, readRequest } from './features.ts';
import { type Found, type Hit, phraseWeights, phrasesIn } from './phrases.ts';
import { type TaskType, taskTypes } from './task-types.ts';

/** The class of a request, and what spoke for it. */
export interface Classified {
  readonly task: TaskType;
  /** Names of features, and phrases of the table. */
  readonly evidence: readonly string[];
}

/** The phrases and features that speak for task types. */
export interface Signals {
  readonly words: Float64Array;
  readonly signals: readonly Signal[];
  readonly named: readonly Found[];
  readonly features: Features;
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
/** Many phrases say little more than some. */
const enough = 6;
const beyondEnough = 0.3;
/** A feature that speaks for a task is evidence from this weight on. */
const evident = 0.4;

/**
 * Returns the task type of a request: the one with the most weight of phrases and features. It reads the edges of the
 * last user message and the beginning of the prompt of the system.
 */
export function classify(request: InferenceRequest): Classified {
  const { words, signals, named, features } = signalsOf(request);
  const scores = words.slice();
  for (const signal of signals) {
    const weights = signalWeights.get(signal);
    if (!weights) continue;
    for (let index = 0; index < scores.length; index += 1)
      scores[index] = (scores[index] ?? 0) + (weights[index] ?? 0);
  }
  let best = -Infinity;
  let at = 0;
  for (const [index, { skill }] of taskTypes.entries()) {
    const score = scores[index] ?? 0;
    if (score > best && isPossible(skill, features)) [at, best] = [index, score];
  }
  const task = taskTypes[at];
  if (!task) throw new Error('there are no task types');
  return { task, evidence: evidenceFor(at, named, features) };
}

/** Only requests with tools are tasks of agents, and only those with pictures are about pictures. */
export function isPossible(skill: TaskType['skill'], features: Features): boolean {
  if (skill === 'agent') return features.tools;
  return skill === 'vision' ? features.image : true;
}

/**
 * Returns what speaks for each task type. The weights of the signals are learned from it. A phrase counts if it is
 * known: for learning, some are not, since texts of others have few of the phrases.
 */
export function signalsOf(
  request: InferenceRequest,
  isKnown: (phrase: string) => boolean = () => true,
): Signals {
  const { prose, system, features } = readRequest(request);
  const words = new Float64Array(taskTypes.length);
  const heard = new Set<readonly Hit[]>();
  const named: Found[] = [];
  const weightAt = weightsOf(prose);
  let isStrong = false;
  for (const found of phrasesIn(prose)) {
    // A phrase counts once.
    if (heard.has(found.hits) || !isKnown(found.phrase)) continue;
    heard.add(found.hits);
    named.push(found);
    addHits(words, found.hits, weightAt(found.at));
    isStrong ||= hasStrong(found.hits);
  }
  if (system !== '')
    for (const { hits } of phrasesIn(system)) {
      addHits(words, hits, systemWeight);
      isStrong ||= hasStrong(hits);
    }
  const signals: Signal[] = ['always', ...featureNames.filter((name) => features[name])];
  if (!isStrong) signals.push('no_strong_phrase');
  if (words.every((score) => score === 0)) signals.push('no_phrase');
  for (const [index, type] of taskTypes.entries())
    words[index] = bounded((words[index] ?? 0) * factorOf(type, features));
  return { words, signals, named, features };
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

function hasStrong(hits: readonly Hit[]): boolean {
  return hits.some(({ weight }) => weight === phraseWeights.strong);
}

function addHits(words: Float64Array, hits: readonly Hit[], factor: number): void {
  for (const { index, weight } of hits) words[index] = (words[index] ?? 0) + weight * factor;
}

function factorOf({ name, skill }: TaskType, { code }: Features): number {
  if (skill !== 'code') return code ? besideCode : 1;
  return needsCode.has(name) && !code ? withoutCode : 1;
}

function bounded(score: number): number {
  return score <= enough ? score : enough + (score - enough) * beyondEnough;
}

function evidenceFor(at: number, named: readonly Found[], features: Features) {
  const ofFeatures = featureNames.filter(
    (name) => features[name] && (signalWeights.get(name)?.[at] ?? 0) >= evident,
  );
  const phrases = named
    .filter(({ hits }) => hits.some(({ index }) => index === at))
    .map(({ phrase }) => phrase);
  return [...new Set([...ofFeatures, ...phrases])].slice(0, evidenceMax);
}

const needsCode: ReadonlySet<string> = new Set(['code:review', 'code:refactoring']);
