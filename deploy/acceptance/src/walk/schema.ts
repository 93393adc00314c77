import Compiler from 'typebox/schema';

/** The part of JSON Schema that the description is written in. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly examples?: readonly unknown[];
  readonly example?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface Checker {
  accepts(value: unknown): boolean;
  /** Returns the problems of the value. Empty: it is accepted. */
  problems(value: unknown): string;
}

const checkers = new WeakMap<Schema, Checker>();

/** Returns a checker for a schema. */
export function checkerOf(schema: Schema): Checker {
  const known = checkers.get(schema);
  if (known) return known;
  const compiled = Compiler.Compile(schema as Parameters<typeof Compiler.Compile>[0]);
  const checker: Checker = {
    accepts: (value) => compiled.Check(value),
    problems(value) {
      if (compiled.Check(value)) return '';
      const [, errors] = compiled.Errors(value);
      return JSON.stringify(errors.slice(0, 3)).slice(0, 400);
    },
  };
  checkers.set(schema, checker);
  return checker;
}

const numberPattern = /^\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Returns true if a text of a query stands for a value that the schema accepts. */
export function acceptsText(schema: Schema, text: string): boolean {
  const { type } = schema;
  if (type === 'integer') return /^\d+$/.test(text) && checkerOf(schema).accepts(Number(text));
  if (type === 'number') return numberPattern.test(text) && checkerOf(schema).accepts(Number(text));
  if (type === 'boolean')
    return /^(?:true|false)$/.test(text) && checkerOf(schema).accepts(text === 'true');
  return checkerOf(schema).accepts(text);
}
