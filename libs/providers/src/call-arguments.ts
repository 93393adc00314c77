import { isNumberText } from '@sluice/inference';
import { asObject } from './json-reader.ts';

/**
 * Returns the arguments of a call as text: a text as it is, an object as JSON. No arguments are an empty text. Returns
 * undefined for a list, a number or a boolean, because no tool takes them. `checkedCalls` reads the texts.
 */
export function argumentsText(value: unknown): string | undefined {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  return asObject(value) && !isNumberText(value) ? JSON.stringify(value) : undefined;
}
