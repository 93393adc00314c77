import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');

export interface Manifest {
  readonly name: string;
  readonly type?: string;
  readonly license?: string;
  readonly sluice?: { readonly tier?: string };
  readonly exports?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** One workspace. `folder` is relative to the root, with `/`. */
export interface Package {
  readonly folder: string;
  readonly manifest: Manifest;
}

export interface Source {
  readonly path: string;
  readonly text: string;
  readonly package: Package;
  /** The path inside its package's `src`. */
  readonly inside: string;
  readonly isTest: boolean;
  /** Every module specifier that is imported or exported from. */
  readonly imports: readonly string[];
}

const importPattern =
  /(?:\bfrom\s+|\bimport\s+|\bimport\(|\bcreateRequire\(import\.meta\.url\)\.resolve\()\s*['"]([^'"\n]+)['"]/g;

/** Everything that git knows or would add, as repository paths. */
export function trackedFiles(): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return listed.split('\n').filter((path) => path !== '' && existsSync(join(root, path)));
}

export function readPackages(files: readonly string[]): readonly Package[] {
  return files
    .filter((path) => /^(libs|services|deploy)\/[^/]+\/package\.json$/.test(path))
    .map((path) => ({
      folder: posix.dirname(path),
      manifest: JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest,
    }));
}

export function readSources(
  files: readonly string[],
  packages: readonly Package[],
): readonly Source[] {
  return files
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => {
      const owner = packages.find(({ folder }) => path.startsWith(`${folder}/src/`));
      if (!owner) return [];
      const text = readFileSync(join(root, path), 'utf8');
      const inside = path.slice(owner.folder.length + '/src/'.length);
      return [
        {
          path,
          text,
          package: owner,
          inside,
          isTest: path.endsWith('.spec.ts') || /(^|\/)testing(\/|\.ts$)/.test(inside),
          imports: [...text.matchAll(importPattern)].map((match) => match[1] as string),
        },
      ];
    });
}

/** `@scope/name` or `name` of a bare specifier; undefined for relative and node: ones. */
export function packageOf(specifier: string): string | undefined {
  if (specifier.startsWith('.') || specifier.startsWith('node:')) return undefined;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** The repository path that a relative specifier of a source names. */
export function resolveRelative(source: Source, specifier: string): string {
  return posix.normalize(posix.join(posix.dirname(source.path), specifier));
}
