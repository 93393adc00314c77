import type { ApiOption, ValueKind } from './api-command.ts';
import { type DescribedOperation, type Description, resolved, type Schema } from './description.ts';
import { fieldsFromFiles, flagNames } from './names.ts';

export interface DescribedField {
  readonly field: string;
  readonly in: 'query' | 'body';
  readonly schema: Schema;
  readonly required: boolean;
  readonly operation: DescribedOperation;
  readonly description: Description;
}

/** Makes the flag of a parameter or of a field of the body. */
export function optionOf(described: DescribedField): ApiOption {
  const { field, in: place, required, operation, description } = described;
  const schema = resolved(described.schema, description);
  const branches = branchesOf(schema, description);
  // For inference null is nothing but absent, and `none` is a text.
  const nullable = branches.some(isNull) && !isInference(operation);
  const isFile = fieldsFromFiles.includes(`${operation.operationId}.${field}`);
  const kind = isFile ? 'file' : kindOf(branches, description);
  return {
    flag: flagOf(field, kind, operation),
    field,
    in: place,
    kind,
    does: [
      nullable ? withNone(schema.description ?? '') : (schema.description ?? ''),
      ...choicesOf(schema, branches),
      ...(fileKinds.includes(kind) ? ['A file; - reads standard input.'] : []),
    ].join(' '),
    example: exampleOf(kind, schema),
    ...(required && { required }),
    ...(nullable && { nullable }),
  };
}

const fileKinds: readonly ValueKind[] = ['secret', 'file', 'secrets'];

/** The word `none` is typed for null. */
const withNone = (description: string) =>
  description.includes('null')
    ? description.replaceAll(/\bnull\b/g, 'none')
    : `${description} none takes it away.`;

/** Only an API key opens it. */
export const isInference = ({ security }: DescribedOperation) =>
  security.every((scheme) => 'apiKey' in scheme);

function flagOf(field: string, kind: ValueKind, { operationId }: DescribedOperation): string {
  const named = flagNames[`${operationId}.${field}`] ?? flagNames[field];
  const isSecret = kind === 'secret' || kind === 'secrets';
  return `--${named ?? `${field.replaceAll('_', '-')}${isSecret ? '-file' : ''}`}`;
}

const isNull = (schema: Schema) => schema.type === 'null' || schema.const === null;

function branchesOf(schema: Schema, description: Description): readonly Schema[] {
  const { anyOf } = schema;
  if (anyOf === undefined) return [schema];
  return anyOf.flatMap((one) => branchesOf(resolved(one, description), description));
}

function kindOf(branches: readonly Schema[], description: Description): ValueKind {
  const values = branches.filter((branch) => !isNull(branch));
  const isText = values.every(isTextual);
  if (values.some((branch) => holdsSecret(branch, description)))
    return isText ? 'secret' : 'secrets';
  if (isText || values.some(isTextual)) return 'text';
  if (values.every(({ type }) => type === 'number' || type === 'integer')) return 'number';
  if (values.every(({ type }) => type === 'boolean')) return 'boolean';
  return values.every(isList) ? 'list' : 'json';
}

const isTextual = ({ type, enum: choices = [] }: Schema) =>
  type === 'string' || choices.some((choice) => typeof choice === 'string');

/** Finds lists of texts. A list that must be empty is one of them. */
const isList = ({ type, items = {} }: Schema) =>
  type === 'array' && (isTextual(items) || Object.keys(items).length === 0);

/** A secret never stands in the words of a command: others see the list of processes. */
function holdsSecret(
  schema: Schema,
  description: Description,
  seen: readonly string[] = [],
): boolean {
  const { $ref } = schema;
  if ($ref !== undefined && seen.includes($ref)) return false;
  const { writeOnly, properties = {}, items, anyOf = [] } = resolved(schema, description);
  const parts = [...Object.values(properties), ...(items ? [items] : []), ...anyOf];
  const below = $ref === undefined ? seen : [...seen, $ref];
  return writeOnly === true || parts.some((one) => holdsSecret(one, description, below));
}

/** Returns the words that may be given, unless the description names them. */
function choicesOf({ description = '' }: Schema, branches: readonly Schema[]): readonly string[] {
  const choices = branches.flatMap((branch) => branch.enum ?? []).map(String);
  const isSaid = choices.every((choice) => description.includes(choice));
  return choices.length === 0 || isSaid ? [] : [`One of ${choices.join(', ')}.`];
}

function exampleOf(kind: ValueKind, { examples = [] }: Schema): string {
  if (kind === 'secret') return 'secret.txt';
  if (kind === 'secrets') return 'secret.json';
  if (kind === 'file') return 'text.txt';
  const [example] = examples;
  if (kind === 'list' && Array.isArray(example) && example.length > 0) {
    const words = example.map(String);
    if (!words.some((word) => word.includes(','))) return words.join(',');
  }
  return example === null ? 'none' : asWord(example);
}

/** Returns the value as it is typed. */
export function asWord(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
