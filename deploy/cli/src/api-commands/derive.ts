import type { ApiArgument, ApiCommand, ApiOption } from './api-command.ts';
import {
  type DescribedOperation,
  type Description,
  jsonSchemaOf,
  nameOf,
  type Parameter,
  resolved,
  type Schema,
} from './description.ts';
import {
  columnsOf,
  commandNames,
  fieldsWithoutFlag,
  pagesTag,
  rowsOf,
  segmentNames,
  withoutCommand,
} from './names.ts';
import { asWord, isInference, optionOf } from './option.ts';
import { parameterGroups } from './path.ts';

/** Makes a command of each operation that a client can call. */
export function apiCommands(description: Description): readonly ApiCommand[] {
  const commands = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId }]) => !withoutCommand.includes(operationId))
      .filter(([, { tags }]) => !tags.includes(pagesTag))
      .map(([method, operation]) => commandOf(method, path, { operation, description })),
  );
  return commands.map((command) =>
    isDefault(command, commands) ? { ...command, isDefault: true } : command,
  );
}

interface Described {
  readonly operation: DescribedOperation;
  readonly description: Description;
}

function commandOf(method: string, path: string, described: Described): ApiCommand {
  const { operationId, summary, parameters = [], requestBody } = described.operation;
  const body = bodyOf(described);
  const rest = method === 'post' ? restOf(body) : undefined;
  const rows = rowsOf[operationId];
  const columns = columnsOf[operationId] ?? (method === 'get' ? itemColumns(described) : undefined);
  return {
    operationId,
    method: method.toUpperCase() as ApiCommand['method'],
    path,
    words: wordsOf(operationId, path),
    summary,
    ...(isInference(described.operation) && { key: 'api' }),
    arguments: parameterGroups(path).map((names) => argumentOf(names, parameters)),
    ...(rest && { rest }),
    options: [
      ...parameters.filter((one) => one.in === 'query').map((one) => queryOption(one, described)),
      ...(rest ? [] : bodyOptions(body, described)),
    ].filter(({ field }) => !fieldsWithoutFlag.includes(field)),
    ...(requestBody && { hasBody: true }),
    ...(columns !== undefined && { columns: columns.split(' ') }),
    ...(rows !== undefined && { rows }),
  };
}

const verbs: Readonly<Record<string, string>> = { get: 'show' };

/** Returns the static segments of the path, and the verb of the operationId unless the path ends with it. */
export function wordsOf(operationId: string, path: string): string {
  const named = commandNames[operationId];
  if (named !== undefined) return named;
  const segments = path
    .replace(/^\/v1\//, '/')
    .split('/')
    .filter((segment) => segment !== '' && !segment.startsWith('{'))
    .map((segment) => segmentNames[segment] ?? segment.replaceAll('_', '-'));
  const verb = /^[a-z]+/.exec(operationId)?.[0] ?? operationId;
  const last = segments.at(-1) ?? '';
  const isSaid = last === verb || last.startsWith(`${verb}-`);
  return [...segments, ...(isSaid ? [] : [verbs[verb] ?? verb])].join(' ');
}

const groupOf = (words: string) => words.slice(0, Math.max(0, words.lastIndexOf(' ')));
const verbOf = (words: string) => words.slice(words.lastIndexOf(' ') + 1);

/** Finds the command that its group alone stands for: it reads, and is the only one or the others set what it reads. */
function isDefault({ words, ...command }: ApiCommand, all: readonly ApiCommand[]): boolean {
  const group = groupOf(words);
  if (command.method !== 'GET') return false;
  if (group === '' || all.some((one) => groupOf(one.words).startsWith(`${group} `))) return false;
  const others = all.filter((one) => groupOf(one.words) === group && one.words !== words);
  const isReading = ['list', 'show'].includes(verbOf(words));
  // A command that is named by hand may stand beside the operator's.
  if (others.length === 0) return isReading || commandNames[command.operationId] === undefined;
  const isSetting = others.every((one) => verbOf(one.words) === 'set');
  return isReading && command.arguments.length === 0 && isSetting;
}

function argumentOf(names: readonly string[], parameters: readonly Parameter[]): ApiArgument {
  const found = names.flatMap((name) => parameters.filter((one) => one.name === name));
  return {
    name: names.join('/').replaceAll('_', '-'),
    does: found.map(({ description = '' }) => description).join(' '),
    example: found.map(({ example }) => asWord(example)).join('/'),
  };
}

function bodyOf({ operation, description }: Described): Schema {
  return resolved(jsonSchemaOf(operation.requestBody) ?? {}, description);
}

/** A body that is one list of texts is written as arguments. */
function restOf({ properties = {}, required = [] }: Schema): ApiCommand['rest'] {
  const [only, ...others] = Object.entries(properties);
  if (only === undefined || others.length > 0) return undefined;
  const [field, { type, items, description = '', examples = [] }] = only;
  if (type !== 'array' || items?.type !== 'string' || !required.includes(field)) return undefined;
  const [first] = [examples[0]].flat();
  const name = field.replace(/(hash)es$|s$/, '$1').replaceAll('_', '-');
  return { name, field, does: description, example: asWord(first) };
}

function queryOption(parameter: Parameter, { operation, description }: Described): ApiOption {
  const { name: field, schema, required = false } = parameter;
  const { description: does = '', example } = parameter;
  const described = { ...schema, description: does, examples: [example] };
  return optionOf({ field, in: 'query', schema: described, required, operation, description });
}

function bodyOptions(
  { properties = {}, required = [] }: Schema,
  { operation, description }: Described,
): readonly ApiOption[] {
  return Object.entries(properties).map(([field, schema]) =>
    optionOf({
      field,
      in: 'body',
      schema,
      required: required.includes(field),
      operation,
      description,
    }),
  );
}

function itemColumns({ operation, description }: Described): string | undefined {
  const success = Object.entries(operation.responses).find(([status]) =>
    status.startsWith('2'),
  )?.[1];
  const { data } = jsonSchemaOf(success)?.properties ?? {};
  const { items = {} } = data ? resolved(data, description) : {};
  return columnsOf[nameOf(items) ?? ''];
}
