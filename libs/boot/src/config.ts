import { Type, type Static, type TObject, type TString } from 'typebox';
import { Value } from 'typebox/value';
import { settingProblem } from './setting-problem.ts';

/** A value that no log, trace or error shows: printing it gives `[redacted]`. */
export class Secret {
  readonly #value: string;
  constructor(value: string) {
    this.#value = value;
  }
  reveal(): string {
    return this.#value;
  }
  toJSON(): string {
    return '[redacted]';
  }
  toString(): string {
    return '[redacted]';
  }
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[redacted]';
  }
}

/** Marks a setting whose value is wrapped in a `Secret`. */
export function secret(description: string): TString & { readonly 'x-secret': true } {
  return Type.String({ description, minLength: 8, 'x-secret': true }) as TString & {
    readonly 'x-secret': true;
  };
}

export type Config<Schema extends TObject> = {
  readonly [Name in keyof Static<Schema>]: Schema['properties'] extends Record<
    Name,
    { 'x-secret': true }
  >
    ? Secret
    : Static<Schema>[Name];
};

/** The variables of a process. */
export type Env = Readonly<Record<string, string | undefined>>;

export class InvalidConfig extends Error {
  override readonly name = 'InvalidConfig';
}

/**
 * Reads the settings that the schema names from an environment. Defaults apply, numbers and
 * booleans are converted, an empty string counts as absent but where the schema says `x-empty`. Throws
 * InvalidConfig with all problems.
 */
export function loadConfig<Schema extends TObject>(schema: Schema, env: Env): Config<Schema> {
  const properties = schema.properties as Record<string, object>;
  const given = Object.fromEntries(
    Object.keys(properties).flatMap((name) =>
      env[name] === undefined || (env[name] === '' && !('x-empty' in (properties[name] ?? {})))
        ? []
        : [[name, env[name]]],
    ),
  );
  const value = Value.Convert(schema, Value.Default(schema, given)) as Record<string, unknown>;
  if (!Value.Check(schema, value)) {
    const wrong = Object.keys(properties).filter((name) => !isValid(schema, name, value[name]));
    const problems = wrong.map((name) => settingProblem(name, properties[name], name in given));
    throw new InvalidConfig(`Settings: ${problems.join('; ')}`);
  }
  const entries = Object.entries(value).map(([name, setting]) => [
    name,
    'x-secret' in (properties[name] ?? {}) ? new Secret(String(setting)) : setting,
  ]);
  return Object.freeze(Object.fromEntries(entries)) as Config<Schema>;
}

function isValid(schema: TObject, name: string, value: unknown): boolean {
  const property = schema.properties[name];
  if (property === undefined) return true;
  if (value === undefined) return !(schema.required ?? []).includes(name);
  return Value.Check(property, value);
}

/** Makes every check and throws one InvalidConfig with the problems of all. Other errors are thrown as they are. */
export function checkSettings(checks: readonly (() => unknown)[]): void {
  const problems = new Set<string>();
  for (const check of checks)
    try {
      check();
    } catch (error) {
      if (!(error instanceof InvalidConfig)) throw error;
      problems.add(error.message.replace(/^Settings: /, ''));
    }
  if (problems.size > 0) throw new InvalidConfig(`Settings: ${[...problems].join('; ')}`);
}
