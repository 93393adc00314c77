import type { Command as Words } from 'commander';
import type { Call } from '../api/request.ts';
import { groupOf } from '../words.ts';
import type { ApiCommand, ApiOption } from './api-command.ts';
import { knownApiCommands } from './known.ts';
import { type Given, requestOf } from './request-of.ts';
import { flagsOf } from './value.ts';

/** The operations whose commands have more flags than the API's description gives. */
const withMoreFlags = ['queryAnalytics', 'createExport'] as const;

/** Adds the other commands of the API's description to their groups. Values that are wrong throw WrongUsage. */
export function addPlainCommands(program: Words, found: (call: Call) => void): void {
  const others: readonly string[] = withMoreFlags;
  for (const command of knownApiCommands)
    if (!others.includes(command.operationId)) addApiCommand(program, command, found);
}

/** Adds one of them, and returns it for its own flags. */
export function addCommandOf(
  operationId: (typeof withMoreFlags)[number],
  program: Words,
  found: (call: Call) => void,
): Words {
  const command = knownApiCommands.find((each) => each.operationId === operationId);
  if (!command) throw new Error(`invariant: the API's description has ${operationId}`);
  return addApiCommand(program, command, found);
}

/** Describes each group that says nothing by the names of its commands. */
export function describeGroups(program: Words): void {
  for (const group of program.commands) {
    if (group.commands.length === 0) continue;
    describeGroups(group);
    if (group.description() === '')
      group.description(group.commands.map((each) => each.name()).join(', '));
  }
}

function addApiCommand(program: Words, asked: ApiCommand, found: (call: Call) => void): Words {
  const words = asked.words.split(' ');
  const name = words.at(-1) ?? '';
  const { summary, isDefault = false, rest, options, hasBody = false } = asked;
  const group = groupOf(program, ...words.slice(0, -1));
  if (isDefault) group.description(summary);
  const command = group.command(name, { isDefault }).description(summary);
  for (const argument of asked.arguments) command.argument(`<${argument.name}>`, argument.does);
  if (rest) command.argument(`<${rest.name}...>`, rest.does);
  for (const option of options) {
    const { does, required } = option;
    // A file with the body may hold the required fields.
    if (required && !hasBody) command.requiredOption(flagsOf(option), does);
    else command.option(flagsOf(option), required ? `${does} Required.` : does);
  }
  if (hasBody && !rest)
    command.option('--body-file <path>', 'More fields as JSON. A file; - reads standard input.');
  command.option('--json', 'Print JSON.');
  command.addHelpText('after', `\nExample:\n  ${exampleOf(asked)}`);
  return command.action((...given: unknown[]) => {
    const named = given.slice(0, asked.arguments.length) as readonly string[];
    const others = rest ? (given[asked.arguments.length] as readonly string[]) : [];
    found(requestOf(asked, givenTo(command, options, { named, others })));
  });
}

function givenTo(
  command: Words,
  options: readonly ApiOption[],
  words: Pick<Given, 'named' | 'others'>,
): Given {
  const valueAt = (flag: string): unknown => {
    const known = command.options.find(({ long }) => long === flag);
    return known && command.getOptionValue(known.attributeName());
  };
  const values = options.flatMap((option) => {
    const value = valueAt(option.flag);
    return typeof value === 'string' ? [[option, value] as const] : [];
  });
  const bodyFile = valueAt('--body-file');
  return {
    ...words,
    values,
    bodyFile: typeof bodyFile === 'string' ? bodyFile : undefined,
    json: valueAt('--json') === true,
  };
}

/** Returns the command with what it requires, or with one option where it requires none. */
function exampleOf({ words, arguments: named, rest, options }: ApiCommand): string {
  const required = options.filter((option) => option.required);
  const shown = required.length > 0 || named.length > 0 || rest ? required : options.slice(0, 1);
  return [
    'sluice',
    words,
    ...named.map(({ example }) => quoted(example)),
    ...(rest ? [quoted(rest.example)] : []),
    ...shown.map(({ flag, example }) => `${flag} ${quoted(example)}`),
  ].join(' ');
}

const quoted = (word: string) =>
  /^[\w./:@,+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
