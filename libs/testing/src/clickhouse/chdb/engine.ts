import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The part of the package `chdb` that is used: ClickHouse as a library. It is not installed with the others. */
interface Session {
  queryAsync(text: string, options: { readonly format: string }): Promise<Result>;
  close(): void;
}

interface Result {
  text(): string;
}

interface Chdb {
  readonly Session: new (
    path: string,
    options: { readonly connectionArgs: readonly string[] },
  ) => Session;
}

export interface Request {
  readonly id: string;
  readonly text: string;
  readonly database: string;
  readonly format: string;
  readonly values: Readonly<Record<string, string>>;
}

interface Slot {
  readonly session: Session;
  database: string;
}

const config = join(import.meta.dirname, 'one-shard.xml');
/** Each runs one statement at a time. */
const sessions = 4;

/** Runs statements side by side on one folder of data. */
export class Engine {
  readonly #free: Slot[];
  readonly #waiting: ((slot: Slot) => void)[] = [];
  readonly #all: readonly Slot[];

  constructor(packages: string, data: string) {
    const { Session } = createRequire(join(packages, 'package.json'))('chdb') as Chdb;
    this.#all = Array.from({ length: sessions }, () => ({
      session: new Session(data, { connectionArgs: [`--config-file=${config}`] }),
      database: '',
    }));
    this.#free = [...this.#all];
  }

  async run({ id, text, database, format, values }: Request): Promise<string> {
    return await this.#with(async (slot) => {
      // Parameters are in the text of a statement here, which ClickHouse itself limits otherwise.
      await slot.session.queryAsync('SET max_query_size = 1000000000', { format });
      if (database !== '' && slot.database !== database) {
        await slot.session.queryAsync(`USE ${database}`, { format });
        slot.database = database;
      }
      // Parameters are texts, which the engine reads as its own server does.
      const given = Object.entries(values).map(
        ([name, value]) => `param_${name} = ${quoted(value)}`,
      );
      if (given.length > 0) await slot.session.queryAsync(`SET ${given.join(', ')}`, { format });
      return (await slot.session.queryAsync(`/* ${id} */ ${text}`, { format })).text();
    });
  }

  /** Ends a statement. The library gives it another id, so that it is found by its comment. */
  async kill(id: string): Promise<void> {
    if (!/^[\w-]+$/.test(id)) throw new Error('the id of a query');
    await this.#with(({ session }) =>
      session.queryAsync(`KILL QUERY WHERE startsWith(query, '/* ${id} */') SYNC`, {
        format: 'JSONEachRow',
      }),
    );
  }

  close(): void {
    for (const { session } of this.#all) session.close();
  }

  async #with<Value>(work: (slot: Slot) => Promise<Value>): Promise<Value> {
    const slot =
      this.#free.pop() ?? (await new Promise<Slot>((resolve) => this.#waiting.push(resolve)));
    try {
      return await work(slot);
    } finally {
      const next = this.#waiting.shift();
      if (next) next(slot);
      else this.#free.push(slot);
    }
  }
}

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
