import type { Schema } from './schema.ts';
import { typeOf, validValue } from './values.ts';

/** A text of a body: the value of a member or of an item, or the name of a free member. */
export interface TextPlace {
  /** The path in the form of issues: `content_filters.0.pattern`. */
  readonly path: string;
  /** Returns the body with the text changed. */
  with(change: (text: string) => string): unknown;
}

const depthMax = 8;
const freeName = 'a';

/** Yields each place of a body that its schema lets be a text. The other values of the body stay valid. */
export function* textPlaces(schema: Schema, valid: unknown, path = ''): Generator<TextPlace> {
  if (path.split('.').length > depthMax) return;
  const alternatives = alternativesOf(schema);
  if (alternatives.some(isText))
    yield {
      path,
      with: (change) => change(typeof valid === 'string' ? valid : sampleOf(alternatives)),
    };
  for (const one of alternatives) {
    if (one.items) yield* ofItems(one, valid, path);
    else if (one.properties || typeof one.additionalProperties === 'object')
      yield* ofMembers(one, valid, path);
  }
}

function* ofItems(schema: Schema, valid: unknown, path: string): Generator<TextPlace> {
  const [first, ...others] = Array.isArray(valid) ? (valid as readonly unknown[]) : [];
  const item = first ?? madeOf(schema.items ?? {});
  for (const place of textPlaces(schema.items ?? {}, item, under(path, '0')))
    yield { path: place.path, with: (change) => [place.with(change), ...others] };
}

function* ofMembers(schema: Schema, valid: unknown, path: string): Generator<TextPlace> {
  const { properties = {}, additionalProperties } = schema;
  const whole = isObject(valid) ? valid : (madeOf({ ...schema, anyOf: [] }) as object);
  const free = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  for (const [name, property] of Object.entries({
    ...properties,
    ...(free && { [freeName]: free }),
  }))
    for (const place of textPlaces(property, memberOf(whole, name), under(path, name)))
      yield { path: place.path, with: (change) => ({ ...whole, [name]: place.with(change) }) };
  if (free === undefined) return;
  const value = madeOf(free);
  yield {
    path: under(path, `${freeName}*`),
    with: (change) => ({ ...whole, [change(freeName)]: value }),
  };
}

function alternativesOf(schema: Schema): readonly Schema[] {
  return [schema, ...(schema.anyOf ?? []).flatMap(alternativesOf)];
}

/** Returns true if the schema accepts a text. A schema that says nothing accepts anything. */
function isText(schema: Schema): boolean {
  const { type, anyOf, properties, items, enum: choices, const: only } = schema;
  if (type !== undefined) return [type].flat().includes('string');
  if (only !== undefined || choices) return typeof (only ?? choices?.[0]) === 'string';
  return anyOf === undefined && properties === undefined && items === undefined;
}

function sampleOf(alternatives: readonly Schema[]): string {
  const text = alternatives.find((one) => typeOf(one) === 'string');
  return text ? String(madeOf(text)) : freeName;
}

function madeOf(schema: Schema): unknown {
  return validValue(schema, { known: {}, isFull: true });
}

function memberOf(whole: object, name: string): unknown {
  return Object.hasOwn(whole, name) ? (whole as Record<string, unknown>)[name] : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function under(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
