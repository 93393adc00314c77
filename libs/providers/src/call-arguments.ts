/**
 * Returns the arguments of a call as text: a text as it is, any other value as JSON. No arguments are an empty text.
 * `checkedCalls` reads the texts.
 */
export function argumentsText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
