import { isObject, type JsonObject } from '@sluice/client-schemas';
import type { InputItem } from '@sluice/inference';
import { message } from '../asking/transcript.ts';

interface Exchange {
  readonly prompt: string;
  readonly advice: string;
}

const charactersMax = 262_144;

/**
 * Returns the earlier questions to an instance with its advice. If they are too long, those in the middle are left out.
 */
export function historyOf(items: readonly InputItem[], name: string): readonly InputItem[] {
  const outputs = new Map(
    items.flatMap((item) =>
      item.type === 'function-call-output' && typeof item.output === 'string'
        ? [[item.callId, item.output] as const]
        : [],
    ),
  );
  const all = items.flatMap((item): readonly Exchange[] => {
    if (item.type !== 'function-call' || item.name !== name) return [];
    const { prompt } = parsed(item.arguments);
    const { advice } = parsed(outputs.get(item.callId) ?? '');
    if (typeof prompt !== 'string' || typeof advice !== 'string') return [];
    return [{ prompt, advice }];
  });
  return middleOut(all).flatMap(({ prompt, advice }) => [
    message('user', prompt),
    message('assistant', advice),
  ]);
}

/** Keeps the oldest and the newest exchanges, which say what it is about and how it stands. */
function middleOut(all: readonly Exchange[]): readonly Exchange[] {
  const kept = new Set<Exchange>();
  let left = charactersMax;
  const fromBothEnds = all.flatMap((_one, index) => {
    const half = Math.floor(index / 2);
    return (index % 2 === 0 ? all.at(-1 - half) : all[half]) ?? [];
  });
  for (const one of fromBothEnds) {
    left -= one.prompt.length + one.advice.length;
    if (left < 0) break;
    kept.add(one);
  }
  return all.filter((one) => kept.has(one));
}

function parsed(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
