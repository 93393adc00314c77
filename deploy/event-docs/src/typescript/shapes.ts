import { DocumentationProblem } from '../problem.ts';
import type { Declaration, FieldNode, Keyword, TypeNode } from './declarations.ts';

/** A type with every name in it looked up. */
export type Shape = (
  | { readonly kind: 'keyword'; readonly name: Keyword }
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  | { readonly kind: 'object'; readonly fields: readonly Field[] }
  | { readonly kind: 'array'; readonly element: Shape }
  | { readonly kind: 'union'; readonly members: readonly Shape[] }
) & {
  /** What its alias or interface says of it; empty without one. */
  readonly comment: string;
};

export interface Field {
  readonly name: string;
  readonly optional: boolean;
  readonly comment: string;
  readonly shape: Shape;
}

const depthMax = 32;
type Given = ReadonlyMap<string, Shape>;

/** Looks types up among the declarations of one file. Throws on names that are not declared there. */
export class Shapes {
  readonly #declarations: ReadonlyMap<string, Declaration>;
  readonly #where: string;

  constructor(declarations: readonly Declaration[], where: string) {
    this.#declarations = new Map(declarations.map((one) => [one.name, one]));
    this.#where = where;
  }

  declaration(name: string): Declaration {
    return this.#declarations.get(name) ?? this.#fail(`${name} is not declared in this file`);
  }

  /** The shape of a declared type without parameters. */
  named(name: string): Shape {
    return this.#resolve({ kind: 'reference', name, arguments: [] }, new Map(), 0);
  }

  #resolve(type: TypeNode, given: Given, depth: number): Shape {
    if (depth > depthMax) this.#fail('a type that contains itself');
    switch (type.kind) {
      case 'keyword':
      case 'literal':
        return { ...type, comment: '' };
      case 'array':
        return {
          kind: 'array',
          element: this.#resolve(type.element, given, depth + 1),
          comment: '',
        };
      case 'object':
        return { kind: 'object', fields: this.#fields(type.fields, given, depth), comment: '' };
      case 'reference':
        return this.#reference(type, given, depth);
      case 'union': {
        const resolved = type.members.map((member) => this.#resolve(member, given, depth + 1));
        const unions = resolved.filter((member) => member.kind === 'union');
        return {
          kind: 'union',
          members: resolved.flatMap((one) => (one.kind === 'union' ? one.members : [one])),
          comment: unions.map(({ comment }) => comment).join(' '),
        };
      }
      case 'intersection':
        return {
          kind: 'object',
          fields: this.#distinct(
            type.members.flatMap((member) =>
              this.#fieldsOf(this.#resolve(member, given, depth + 1)),
            ),
          ),
          comment: '',
        };
    }
  }

  #reference(
    { name, arguments: types }: Extract<TypeNode, { kind: 'reference' }>,
    given: Given,
    depth: number,
  ): Shape {
    const argument = given.get(name);
    if (argument) return argument;
    const { parameters, comment, type } = this.declaration(name);
    if (types.length > parameters.length) this.#fail(`${name} takes fewer types`);
    const inner = new Map<string, Shape>();
    for (const [index, parameter] of parameters.entries()) {
      const passed = types[index];
      const value = passed ?? parameter.fallback ?? this.#fail(`${name} takes more types`);
      inner.set(parameter.name, this.#resolve(value, passed ? given : inner, depth + 1));
    }
    const shape = this.#resolve(type, inner, depth + 1);
    return comment === '' ? shape : { ...shape, comment };
  }

  #fields(fields: readonly FieldNode[], given: Given, depth: number): readonly Field[] {
    return this.#distinct(
      fields.map(({ type, ...field }) => ({
        ...field,
        shape: this.#resolve(type, given, depth + 1),
      })),
    );
  }

  #fieldsOf(shape: Shape): readonly Field[] {
    if (shape.kind === 'object') return shape.fields;
    if (shape.kind === 'keyword' && shape.name === 'object') return [];
    return this.#fail('an intersection of something else than objects');
  }

  #distinct(fields: readonly Field[]): readonly Field[] {
    const names = fields.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    return twice === undefined ? fields : this.#fail(`the field ${twice} is there twice`);
  }

  #fail(problem: string): never {
    throw new DocumentationProblem(`${this.#where}: ${problem}`);
  }
}

/** The type as TypeScript writes it; of objects that they are one. */
export function typeText(shape: Shape): string {
  switch (shape.kind) {
    case 'keyword':
      return shape.name;
    case 'literal':
      return typeof shape.value === 'string' ? `'${shape.value}'` : String(shape.value);
    case 'object':
      return 'object';
    case 'array': {
      const element = typeText(shape.element);
      return shape.element.kind === 'union' ? `(${element})[]` : `${element}[]`;
    }
    case 'union':
      return shape.members.map(typeText).join(' | ');
  }
}

/** Why a JSON value is not of the shape; undefined when it is. Fields that are not named are wrong. */
export function mismatch(shape: Shape, value: unknown, at = 'data'): string | undefined {
  switch (shape.kind) {
    case 'keyword':
      return isOfKeyword(shape.name, value) ? undefined : `${at} is no ${shape.name}`;
    case 'literal':
      return value === shape.value ? undefined : `${at} is not ${typeText(shape)}`;
    case 'array':
      return Array.isArray(value)
        ? value.map((one, index) => mismatch(shape.element, one, `${at}[${index}]`)).find(Boolean)
        : `${at} is no list`;
    case 'union':
      return shape.members.some((member) => mismatch(member, value) === undefined)
        ? undefined
        : `${at} is not ${typeText(shape)}`;
    case 'object':
      return objectMismatch(shape.fields, value, at);
  }
}

function objectMismatch(fields: readonly Field[], value: unknown, at: string): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return `${at} is no object`;
  const unknown = Object.keys(value).find((name) => !fields.some((field) => field.name === name));
  if (unknown !== undefined) return `${at}.${unknown} is not declared`;
  for (const { name, optional, shape } of fields) {
    const present = Object.hasOwn(value, name);
    if (!present && optional) continue;
    if (!present) return `${at}.${name} is missing`;
    const wrong = mismatch(
      shape,
      (value as Readonly<Record<string, unknown>>)[name],
      `${at}.${name}`,
    );
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function isOfKeyword(keyword: Keyword, value: unknown): boolean {
  if (keyword === 'null') return value === null;
  if (keyword === 'object') return typeof value === 'object' && value !== null;
  return typeof value === keyword;
}
