import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DocumentationProblem } from './problem.ts';

/** The checkout that the sources are read from; paths are relative to its root, with `/`. */
export class Repository {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  text(path: string): string {
    try {
      return readFileSync(join(this.root, path), 'utf8');
    } catch (cause) {
      throw new DocumentationProblem(`${path} cannot be read`, { cause });
    }
  }

  json(path: string): unknown {
    const text = this.text(path);
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw new DocumentationProblem(`${path} is no JSON`, { cause });
    }
  }

  /** Names in a folder, in order; none when there is no such folder. */
  names(folder: string): readonly string[] {
    const place = join(this.root, folder);
    return existsSync(place) ? readdirSync(place).toSorted() : [];
  }

  /** The TypeScript sources under a folder, at any depth, in order, without tests. */
  sources(folder: string): readonly string[] {
    return this.files(folder)
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
      .filter((path) => !path.includes('/testing/'));
  }

  /** The files under a folder, at any depth, in order. */
  files(folder: string): readonly string[] {
    const place = join(this.root, folder);
    if (!existsSync(place)) return [];
    return readdirSync(place, { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .toSorted();
  }
}

/** The only element. Throws, naming what was looked for, when there are none or several. */
export function only<T>(found: readonly T[], what: string): T {
  const [first] = found;
  if (first === undefined || found.length > 1)
    throw new DocumentationProblem(`${what}: found ${found.length}, there must be one`);
  return first;
}
