import type { Command as Words, Command } from 'commander';
import type { Call } from './call.ts';
import type { Operation, Resource, ResourceOption } from './resource.ts';
import { valueOf } from './value.ts';

/** Adds a group with a command for each operation. Values that are wrong throw WrongUsage. */
export function addResource(program: Words, resource: Resource, found: (call: Call) => void): void {
  const group = groupOf(program, resource);
  for (const operation of resource.operations) addOperation(group, operation, found);
}

function groupOf(program: Words, { words, does }: Resource): Words {
  let group = program;
  for (const word of words.split(' '))
    group = group.commands.find((each) => each.name() === word) ?? group.command(word);
  return group.description(does);
}

const parameterPattern = /\{(\+?)([a-z_]+)\}/g;
const parametersOf = (path: string) =>
  [...path.matchAll(parameterPattern)].map(([, , name = '']) => name);

/** A beginning of a hash that is long enough to be meant; a whole one has 64 digits. */
const hashPrefixPattern = /^[0-9a-f]{4,63}$/;

function addOperation(group: Words, operation: Operation, found: (call: Call) => void): void {
  const { name, does, path, rest, options = [], isDefault = false } = operation;
  const parameters = parametersOf(path);
  const command = group.command(name, { isDefault }).description(does);
  for (const parameter of parameters) command.argument(`<${parameter.replaceAll('_', '-')}>`);
  if (rest) command.argument(`<${rest.name}...>`);
  for (const option of options) {
    const text = option.nullable ? `${option.does}; none takes it away` : option.does;
    if (option.required) command.requiredOption(option.flags, text);
    else command.option(option.flags, text);
  }
  command.option('--json', 'print JSON');
  command.action((...given: unknown[]) => {
    const words = given.slice(0, parameters.length) as readonly string[];
    const others = rest ? (given[parameters.length] as readonly string[]) : [];
    found(callOf(operation, words, others, command));
  });
}

function callOf(
  operation: Operation,
  words: readonly string[],
  others: readonly string[],
  command: Command,
): Call {
  const { method, path, rest, options = [], columns = [] } = operation;
  const given = givenOf(options, command);
  const isFile = ({ as }: ResourceOption) => as === 'secret' || as === 'file';
  const fileOption = options.find(isFile);
  const file = fileOption && given.get(fileOption);
  const values = [...given].filter(([option]) => !isFile(option));
  const inQuery = method === 'GET' || method === 'DELETE';
  const fields = Object.fromEntries(
    values.map(([option, text]) => [option.field, inQuery ? text : valueOf(option, text)]),
  );
  const body = rest ? { [rest.field]: others, ...fields } : fields;
  const hashes = [
    ...words.filter((_, index) => parametersOf(path)[index] === 'hash'),
    ...(rest?.field === 'key_hashes' ? others : []),
    ...values.filter(([{ as }]) => as === 'hash').map(([, text]) => text),
    ...values.filter(([{ as }]) => as === 'hashes').flatMap(([, text]) => text.split(',')),
  ].filter((word) => hashPrefixPattern.test(word));
  let argument = 0;
  return {
    method,
    path: path.replaceAll(parameterPattern, (_whole, plus: string) => {
      const word = encodeURIComponent(words[argument++] ?? '');
      return plus === '' ? word : word.replaceAll('%2F', '/');
    }),
    query: inQuery ? (fields as Record<string, string>) : {},
    body: inQuery ? undefined : body,
    file:
      fileOption && file !== undefined
        ? { field: fileOption.field, path: file, isSecret: fileOption.as === 'secret' }
        : undefined,
    columns,
    ...(operation.rows === undefined ? {} : { rows: operation.rows }),
    ...(hashes.length === 0 ? {} : { hashes }),
    ...(operation.key === undefined ? {} : { key: operation.key }),
    json: command.getOptionValue('json') === true,
  };
}

function givenOf(
  options: readonly ResourceOption[],
  command: Command,
): ReadonlyMap<ResourceOption, string> {
  const given = new Map<ResourceOption, string>();
  for (const option of options) {
    const [flag = ''] = option.flags.split(' ');
    const known = command.options.find((each) => each.long === flag);
    const value: unknown = known && command.getOptionValue(known.attributeName());
    if (typeof value === 'string') given.set(option, value);
  }
  return given;
}
