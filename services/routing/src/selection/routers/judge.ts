import { isObject, type JsonObject, problemsOf } from '@sluice/client-schemas';
import { type InputItem, nanoUsdToNumber, textOf } from '@sluice/inference';
import type { Static, TSchema } from 'typebox';
import type { Judged } from '../../request/judged.ts';
import type { RoutedCall } from './router.ts';

const beginningMax = 3_000;
const endMax = 1_000;
const toolsMax = 20;

/** Returns the request in short: the last message of the user and the names of its tools. */
export function taskOf({ inference: { items, tools } }: RoutedCall): JsonObject {
  const names = tools.flatMap((tool) => (tool.type === 'native' ? [] : [tool.name]));
  return {
    text: shortened(lastHumanText(items)),
    messages_before: Math.max(lastHuman(items), 0),
    tools: names.slice(0, toolsMax),
  };
}

/** Returns the place of the last message of the user; -1: there is none. */
export function lastHuman(items: readonly InputItem[]): number {
  return items.findLastIndex((item) => item.type === 'message' && item.role === 'user');
}

export function lastHumanText(items: readonly InputItem[]): string {
  const asked = items[lastHuman(items)];
  return asked?.type === 'message' ? textOf(asked.content) : '';
}

function shortened(text: string): string {
  if (text.length <= beginningMax + endMax) return text.toWellFormed();
  return `${text.slice(0, beginningMax)} … ${text.slice(-endMax)}`.toWellFormed();
}

/** Returns the verdict of a judge. Undefined: there is none that follows the schema. */
export function verdictOf<Schema extends TSchema>(
  judged: Judged | undefined,
  schema: Schema,
): Static<Schema> | undefined {
  if (!judged || judged.failure !== undefined) return undefined;
  try {
    const value: unknown = JSON.parse(judged.text);
    if (!isObject(value) || problemsOf(schema, value, { max: 1 }).length > 0) return undefined;
    return value as Static<Schema>;
  } catch {
    return undefined;
  }
}

/** Returns the fields of a report about a judge. Absent: none was asked. */
export function judgeReport(judged: Judged | undefined, verdict: unknown): JsonObject | undefined {
  if (!judged) return undefined;
  const { model, failure, isKept } = judged;
  if (verdict === undefined) return { model, failure: failure ?? 'malformed_answer' };
  return { model, verdict, ...(isKept && { from_cache: true }) };
}

/** Returns the cost of a judge for a report. */
export function judgeCost(judged: Judged | undefined): { readonly cost_usd?: number } {
  const cost = judged?.costNanoUsd ?? 0n;
  return cost > 0n ? { cost_usd: nanoUsdToNumber(cost) } : {};
}
