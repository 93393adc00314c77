/** The part of a response that a usage fact is about: a model call, a call of a tool, or a step within such a call. */
export type UsageStep =
  | { readonly kind: 'turn'; readonly attempt: number; readonly turn: number }
  | { readonly kind: 'tool'; readonly number: number }
  /** A model call, or a call of a tool, that the tool of that number made. */
  | { readonly kind: 'inner'; readonly number: number };

const turnPattern = /\/([1-9]\d{0,5})\/([1-9]\d{0,5})$/;
const toolPattern = /\/tool\/([1-9]\d{0,5})$/;
/** The numbers after the first one name a question of the tool to a model: `/tool/2/1/1/3`, `/tool/2/1/tool/1`. */
const innerPattern =
  /\/tool\/([1-9]\d{0,5})(?:\/[1-9]\d{0,5}\/(?:tool|[1-9]\d{0,5})\/[1-9]\d{0,5})+$/;

/**
 * Parses `<generation>/<attempt>/<turn>`, `<generation>/tool/<n>`, or `<generation>/tool/<n>/<question>` before either
 * of them. Any other id is of a release that knew no turns: it is the first attempt of the first turn.
 */
export function parseUsageId(usageId: string): UsageStep {
  const [, caller] = innerPattern.exec(usageId) ?? [];
  if (caller !== undefined) return { kind: 'inner', number: Number(caller) };
  const [, attempt, turn] = turnPattern.exec(usageId) ?? [];
  if (attempt !== undefined) return { kind: 'turn', attempt: Number(attempt), turn: Number(turn) };
  const [, number] = toolPattern.exec(usageId) ?? [];
  if (number !== undefined) return { kind: 'tool', number: Number(number) };
  return { kind: 'turn', attempt: 1, turn: 1 };
}
