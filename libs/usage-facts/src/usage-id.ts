/** The part of a response that a usage fact is about: one model call, or one paid call of a tool. */
export type UsageStep =
  | { readonly kind: 'turn'; readonly attempt: number; readonly turn: number }
  | { readonly kind: 'tool'; readonly number: number };

const turnPattern = /\/([1-9]\d{0,5})\/([1-9]\d{0,5})$/;
const toolPattern = /\/tool\/([1-9]\d{0,5})$/;

/**
 * Parses `<generation>/<attempt>/<turn>` or `<generation>/tool/<n>`. Any other id is of a release that knew no turns:
 * it is the first attempt of the first turn.
 */
export function parseUsageId(usageId: string): UsageStep {
  const [, attempt, turn] = turnPattern.exec(usageId) ?? [];
  if (attempt !== undefined) return { kind: 'turn', attempt: Number(attempt), turn: Number(turn) };
  const [, number] = toolPattern.exec(usageId) ?? [];
  if (number !== undefined) return { kind: 'tool', number: Number(number) };
  return { kind: 'turn', attempt: 1, turn: 1 };
}
