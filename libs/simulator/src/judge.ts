import type { OutputPart } from './generation.ts';
import { isObject, lastUserText } from './prompt.ts';
import type { Script } from './script.ts';

/** The probabilities that a message breaks a rule. */
const broken = 0.95;
const kept = 0.05;

/**
 * Plays a model with the name `judge`, which rates a message against rules: a JSON object of `rules` and a `message`.
 * A rule names words in double quotes. A rule with "not", "no" or "never" is broken by a message that has one of the
 * words. Another rule is broken by a message that lacks one. A rule without such words is never broken.
 */
export const judgeScript: Script = (prompt) => {
  if (!/\bjudge\b/.test(prompt.model)) return undefined;
  const asked = parsed(lastUserText(prompt));
  if (!isObject(asked) || !Array.isArray(asked['rules'])) return undefined;
  const message = JSON.stringify(asked['message']).toLowerCase();
  const verdicts = (asked['rules'] as readonly unknown[]).map((rule) => ({
    rule: isObject(rule) ? rule['rule'] : undefined,
    probability: isObject(rule) && isBroken(String(rule['text']), message) ? broken : kept,
  }));
  const text = JSON.stringify({ verdicts });
  const parts: readonly OutputPart[] = [{ type: 'text', name: '', text }];
  return { parts, isOfData: true };
};

function isBroken(rule: string, message: string): boolean {
  const words = [...rule.matchAll(/"([^"]+)"/g)].map(([, word = '']) => word.toLowerCase());
  if (words.length === 0) return false;
  const plain = rule.replaceAll(/"[^"]*"/g, '');
  return /\b(?:not|no|never)\b/i.test(plain)
    ? words.some((word) => message.includes(word))
    : !words.every((word) => message.includes(word));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
