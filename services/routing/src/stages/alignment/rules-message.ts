import type { InputItem } from '@sluice/inference';

/** Returns the rules as a message of the system. */
export function rulesMessage(rules: readonly string[]): InputItem {
  const list = rules.map((rule, index) => `${String(index + 1)}. ${rule}`).join('\n');
  const text = `Each answer and each call of a tool must follow all of these rules:\n${list}`;
  return { type: 'message', role: 'system', content: [{ type: 'text', text }] };
}
