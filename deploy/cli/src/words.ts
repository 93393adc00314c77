import type { Command as Words } from 'commander';
import { shown, WrongUsage } from './wrong-usage.ts';

/** Returns the group of these names, which its first command makes. */
export function groupOf(program: Words, ...names: readonly string[]): Words {
  let group = program;
  for (const name of names)
    group = group.commands.find((each) => each.name() === name) ?? group.command(name);
  return group;
}

/** The values of the options that `ofAccount` adds. */
export interface AccountOptions {
  readonly account?: string;
  readonly json?: boolean;
}

/** Adds the options of a command for one account. */
export function ofAccount(command: Words): Words {
  return command
    .option('--account <id>', 'default: the organization of the first start')
    .option('--json', 'print JSON');
}

const numberPattern = /^\d{1,9}$/;

/** Reads a count that was typed for an option. The reader throws WrongUsage, which names the option. */
export const counted = (option: string) => (text: string) => {
  if (numberPattern.test(text)) return Number(text);
  throw new WrongUsage(`${option} ${shown(text)} is no whole number from 0.`);
};

/** Reads a text that may not be empty, as `counted` does. */
export const filled = (name: string) => (text: string) => {
  if (text === '') throw new WrongUsage(`${name} needs a value.`);
  return text;
};

const instantPattern = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z)?$/;

/** Reads an instant or a day, which means its beginning, as `counted` does. */
export const instantOf =
  (name: string) =>
  (text: string): Date => {
    const instant = new Date(instantPattern.test(text) ? text : Number.NaN);
    // A 30 February would silently be another day.
    if (Number.isNaN(instant.getTime()) || !instant.toISOString().startsWith(text.slice(0, 10)))
      throw new WrongUsage(`${name} ${shown(text)} is no UTC day or instant like 2026-11-18.`);
    return instant;
  };
