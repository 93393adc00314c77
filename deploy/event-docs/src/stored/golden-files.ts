import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DocumentationProblem } from '../problem.ts';

/** An event as its golden file has it, upcast to today's version. */
export interface UpcastEvent {
  /** Repository path of the golden file. */
  readonly file: string;
  /** The absolute path of the declarations, and the union of all events of the aggregate in them. */
  readonly declarations: string;
  readonly union: string;
  readonly type: string;
  readonly event: unknown;
}

const compiler = fileURLToPath(
  new URL('lib/tsc.js', import.meta.resolve('typescript/package.json')),
);
const options =
  '--ignoreConfig --noEmit --strict --exactOptionalPropertyTypes --allowImportingTsExtensions --pretty false';

/**
 * Has the compiler compare each golden file with the declaration of its event. Throws on a field that is
 * missing, that is not declared, or that has another type.
 */
export async function requireDeclared(events: readonly UpcastEvent[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-golden-files-'));
  try {
    const lines = events.map(({ declarations, union, type, event }, index) => {
      const declared = `import(${JSON.stringify(declarations)}).${union}`;
      const expected = `Extract<${declared}, { type: ${JSON.stringify(type)} }>`;
      return `export const e${index}: ${expected} = ${JSON.stringify(event)};`;
    });
    await writeFile(join(folder, 'events.ts'), lines.join('\n'));
    await promisify(execFile)(
      process.execPath,
      [compiler, ...options.split(' '), '--module', 'nodenext', '--types', '', 'events.ts'],
      { cwd: folder },
    );
  } catch (error) {
    const { stdout = '' } = error as { readonly stdout?: string };
    const [, line, problem] = /^events\.ts\((\d+),\d+\): (.+(?:\n .+)*)/m.exec(stdout) ?? [];
    if (line === undefined) throw error;
    const wrong = events[Number(line) - 1];
    throw new DocumentationProblem(
      `${wrong?.file} does not fit today's ${wrong?.type}: ${problem}`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
