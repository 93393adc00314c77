import { shown, WrongUsage } from './wrong-usage.ts';

const numberPattern = /^\d{1,9}$/;

/** Reads a count that was typed for an option. The reader throws WrongUsage, which names the option. */
export const counted = (option: string) => (text: string) => {
  if (numberPattern.test(text)) return Number(text);
  throw new WrongUsage(`${option} ${shown(text)} is no whole number from 0.`);
};
