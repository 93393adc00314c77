import type { Model } from '@sluice/catalog';
import { compilePatterns } from '../patterns.ts';
import type { Skill } from './task-types.ts';

/** The families of models that suit a skill, the most used first. */
const rankings: Readonly<Record<Skill, readonly string[]>> = {
  code: [
    'anthropic/claude-*',
    'openai/gpt-5*',
    'openai/*codex*',
    'qwen/*coder*',
    'z-ai/glm-*',
    'moonshotai/kimi-*',
    'google/gemini-*',
    'deepseek/*',
    'minimax/*',
    'x-ai/*',
    'mistralai/*',
  ],
  agent: [
    'anthropic/claude-*',
    'openai/gpt-5*',
    'z-ai/glm-*',
    'moonshotai/kimi-*',
    'google/gemini-*',
    'minimax/*',
    'x-ai/*',
    'deepseek/*',
    'qwen/*',
  ],
  reasoning: [
    'openai/o3*',
    'openai/gpt-5*',
    'google/gemini-*pro*',
    'deepseek/*',
    'x-ai/grok-*',
    'anthropic/claude-*',
    'google/gemini-*',
    'qwen/*',
    'moonshotai/*',
    'openai/gpt-oss-*',
  ],
  writing: [
    'anthropic/claude-*',
    'google/gemini-*',
    'openai/gpt-*',
    'deepseek/*',
    'mistralai/*',
    'moonshotai/*',
    'meta-llama/*',
    'x-ai/*',
  ],
  language: [
    'google/gemini-*',
    'openai/gpt-*',
    'mistralai/*',
    'qwen/*',
    'anthropic/claude-*',
    'deepseek/*',
    'meta-llama/*',
    'openai/gpt-oss-*',
  ],
  facts: [
    'google/gemini-*',
    'openai/gpt-*',
    'x-ai/grok-*',
    'anthropic/claude-*',
    'deepseek/*',
    'qwen/*',
    'meta-llama/*',
    'mistralai/*',
  ],
  vision: [
    'google/gemini-*',
    'openai/gpt-*',
    'anthropic/claude-*',
    'qwen/*vl*',
    'x-ai/*',
    'mistralai/pixtral*',
    'meta-llama/llama-4*',
  ],
};

/** The number of places in the longest table. */
export const placesMax = Math.max(...Object.values(rankings).map(({ length }) => length));

const compiled = new Map(
  Object.entries(rankings).map(([skill, patterns]) => [
    skill,
    patterns.map((pattern) => compilePatterns([pattern])),
  ]),
);
const known = new WeakMap<readonly Model[], Map<Skill, ReadonlyMap<string, number>>>();

/**
 * Returns the place of each listed model that answers with text in the ranking of a skill. Where the table ranks none
 * of them, all have the same place: the default set. The table and a catalog never change, so it is computed once.
 */
export function placesFor(skill: Skill, listed: readonly Model[]): ReadonlyMap<string, number> {
  const bySkill = known.get(listed) ?? new Map<Skill, ReadonlyMap<string, number>>();
  known.set(listed, bySkill);
  const cached = bySkill.get(skill);
  if (cached) return cached;
  const texts = listed.filter(({ outputModalities }) => outputModalities.includes('text'));
  const families = compiled.get(skill) ?? [];
  const places = new Map<string, number>();
  for (const { id } of texts) {
    const place = families.findIndex((matches) => matches(id));
    if (place >= 0) places.set(id, place);
  }
  const found = places.size > 0 ? places : new Map(texts.map(({ id }) => [id, 0] as const));
  bySkill.set(skill, found);
  return found;
}
