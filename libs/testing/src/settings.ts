/** A setting that cannot be used. The message names it. */
export class WrongSetting extends Error {}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings of a tool from the environment. An empty setting counts as absent. */
export class Settings {
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  text(name: string): string | undefined {
    return this.#environment[name] || undefined;
  }

  wholeNumber(name: string, fallback: number, least = 0): number {
    const text = this.text(name);
    if (text === undefined) return fallback;
    if (/^\d{1,10}$/.test(text) && Number(text) >= least) return Number(text);
    throw new WrongSetting(`${name} must be a whole number from ${least}, not '${text}'.`);
  }

  /** Returns the names between commas, in their order. Returns the usual names when the setting is absent. */
  names<Name extends string>(
    setting: string,
    all: readonly Name[],
    usual: readonly Name[] = all,
  ): readonly Name[] {
    const wanted = this.text(setting)?.split(',') ?? usual;
    return wanted.map((text) => {
      const found = all.find((name) => name === text.trim());
      if (found !== undefined) return found;
      throw new WrongSetting(`${setting} must be some of ${all.join(', ')}, not '${text}'.`);
    });
  }
}

/** Reads settings of this process. A wrong one ends it with a sentence that names it. */
export function readSettings<Value>(read: (settings: Settings) => Value): Value {
  try {
    return read(new Settings(process.env));
  } catch (error) {
    if (!(error instanceof WrongSetting)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
