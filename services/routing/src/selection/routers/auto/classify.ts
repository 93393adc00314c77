import type { InferenceRequest } from '@sluice/inference';
import { type TaskType, taskTypes } from './task-types.ts';

/** The class of a request, and what spoke for it. */
export interface Classified {
  readonly task: TaskType;
  /** Short words: matched phrases and features. */
  readonly evidence: readonly string[];
}

const readMax = 4_096;
const evidenceMax = 8;
const codeWeight = 2;

/** Returns the task type of a request, by rules: phrases, code, tools and pictures. It reads the last user message. */
export function classify(request: InferenceRequest): Classified {
  const { text, hasImage } = lastAsked(request);
  const has = {
    tools: request.tools.length > 0,
    code: codeMarks.test(text) || codeLines.test(text),
    image: hasImage,
  };
  const scores = new Map<TaskType, number>();
  const found: string[] = [];
  for (const { phrase, types } of phrasesIn(text)) {
    const weight = phrase.includes(' ') ? 2 : 1;
    for (const type of types) {
      if (type.needs && !has[type.needs]) continue;
      scores.set(type, (scores.get(type) ?? 0) + weight);
      if (found.length < evidenceMax && !found.includes(phrase)) found.push(phrase);
    }
  }
  for (const type of taskTypes) {
    const bonus = bonusOf(type, has, scores.has(type));
    if (bonus > 0) scores.set(type, (scores.get(type) ?? 0) + bonus);
  }
  let task = fallback;
  let best = 0;
  for (const type of taskTypes) {
    const score = scores.get(type) ?? 0;
    if (score > best) [task, best] = [type, score];
  }
  const features = Object.entries(has).flatMap(([name, isThere]) => (isThere ? [name] : []));
  return { task, evidence: [...features, ...found].slice(0, evidenceMax) };
}

interface Features {
  readonly tools: boolean;
  readonly code: boolean;
  readonly image: boolean;
}

function bonusOf({ name, skill, needs }: TaskType, has: Features, isNamed: boolean): number {
  if (needs === 'image') return has.image ? 2 : 0;
  if (needs === 'tools') return has.tools ? (isNamed || name === 'agent:tool_use' ? 1 : 0) : 0;
  if (skill === 'code' && has.code) return isNamed || name === 'code:generation' ? codeWeight : 0;
  return 0;
}

/** No part of these patterns runs over the end of a line, so that they read a text in linear time. */
const codeMarks = /```|[;{}][ \t]*$|=>|::|\(\) *\{/m;
const codeLines =
  /^[ \t]*(?:def |class |function |import |#include|public |const |let |var |SELECT |package )/m;

/** The class of a request of which nothing is known. */
const fallback: TaskType = taskTypes.find(({ name }) => name === 'qa_knowledge') ?? {
  name: 'qa_knowledge',
  skill: 'facts',
  words: [],
};

const byPhrase = new Map<string, TaskType[]>();
/** The numbers of words that phrases with this first word have. */
const lengthsByFirst = new Map<string, Set<number>>();
for (const type of taskTypes)
  for (const phrase of type.words) {
    byPhrase.set(phrase, [...(byPhrase.get(phrase) ?? []), type]);
    const parts = phrase.split(' ');
    const first = parts[0] ?? '';
    const lengths = lengthsByFirst.get(first) ?? new Set();
    lengthsByFirst.set(first, lengths.add(parts.length));
  }

interface Phrase {
  readonly phrase: string;
  readonly types: readonly TaskType[];
}

/** Returns each known phrase of the text, each time that it is there. */
function phrasesIn(text: string): readonly Phrase[] {
  const words = text.toLowerCase().match(/[a-z0-9][a-z0-9+;'-]*/g) ?? [];
  const found: Phrase[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const lengths = lengthsByFirst.get(words[at] ?? '');
    if (!lengths) continue;
    for (const length of lengths) {
      const phrase = length === 1 ? (words[at] ?? '') : words.slice(at, at + length).join(' ');
      const types = byPhrase.get(phrase);
      if (types) found.push({ phrase, types });
    }
  }
  return found;
}

/** Returns the text of the last user message, its beginning and its end, and whether it has a picture. */
function lastAsked({ items }: InferenceRequest): {
  readonly text: string;
  readonly hasImage: boolean;
} {
  const message = items.findLast((item) => item.type === 'message' && item.role === 'user');
  if (message?.type !== 'message') return { text: '', hasImage: false };
  const hasImage = message.content.some(({ type }) => type === 'image');
  let text = '';
  for (const part of message.content) {
    if (part.type !== 'text') continue;
    text += `${part.text.slice(0, readMax)}\n`;
    if (text.length >= readMax) break;
  }
  return { text: text.slice(0, readMax), hasImage };
}
