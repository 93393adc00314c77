import { Type, type Static, type TObject, type TString } from 'typebox';
import { Value } from 'typebox/value';

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

export class InvalidConfig extends Error {
  override readonly name = 'InvalidConfig';
}

/** Returns the words that the setting takes, as a sentence; undefined for other settings. */
function alternatives(property: object = {}): string | undefined {
  const { anyOf } = property as { readonly anyOf?: readonly { readonly const?: unknown }[] };
  if (!anyOf?.every((word) => word.const !== undefined)) return undefined;
  return `must be one of ${anyOf.map((word) => String(word.const)).join(', ')}`;
}

/**
 * Reads the settings that the schema names from an environment. Defaults apply, numbers and
 * booleans are converted, an empty string counts as absent but where the schema says `x-empty`. Throws
 * InvalidConfig with all problems.
 */
export function loadConfig<Schema extends TObject>(
  schema: Schema,
  env: Readonly<Record<string, string | undefined>>,
): Config<Schema> {
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
    const problems = Value.Errors(schema, value).map(({ instancePath, message }) => {
      const name = instancePath.slice(1);
      return `${name || 'settings'} ${alternatives(properties[name]) ?? message}`;
    });
    throw new InvalidConfig(`Settings: ${[...new Set(problems)].join('; ')}`);
  }
  const entries = Object.entries(value).map(([name, setting]) => [
    name,
    'x-secret' in (properties[name] ?? {}) ? new Secret(String(setting)) : setting,
  ]);
  return Object.freeze(Object.fromEntries(entries)) as Config<Schema>;
}
