import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rule } from './rules.ts';
import { packageOf, root } from './source.ts';

interface VendorManifest {
  readonly exports?: string | Readonly<Record<string, unknown>>;
}

/** Packages of plain files, which have no code to hide. */
const filesOnly: readonly string[] = ['swagger-ui-dist'];
/** Files that a package without `exports` publishes for its users: the DOM that Readability is made for. */
const publishedFiles: readonly string[] = ['@mozilla/readability/JSDOMParser.js'];

/** Names by which vendors mark their own properties: `_handle`, and symbols like `kSocket`. */
const privateAccess =
  /\??\.(_[A-Za-z]\w*)|\[\s*['"`](_[A-Za-z]\w*)['"`]\s*\]|(?<=[\w)\].])\[(k[A-Z]\w*)\]|\b(getOwnPropertySymbols)\(/g;
const comment = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;

function manifestOf(name: string): VendorManifest | undefined {
  try {
    return JSON.parse(
      readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'),
    ) as VendorManifest;
  } catch {
    return undefined;
  }
}

/** Returns true if the package exports the path. A package without `exports` promises its main file alone. */
export function isExported(specifier: string, manifest: VendorManifest | undefined): boolean {
  const name = packageOf(specifier) ?? specifier;
  if (specifier === name || manifest === undefined) return true;
  if (publishedFiles.includes(specifier)) return true;
  const { exports: exported } = manifest;
  if (typeof exported !== 'object') return false;
  const path = `.${specifier.slice(name.length)}`;
  return Object.keys(exported).some((key) => {
    const [before = '', after] = key.split('*');
    return after === undefined
      ? key === path
      : path.startsWith(before) && path.endsWith(after) && path.length > before.length;
  });
}

export const vendorRules: readonly Rule[] = [
  {
    name: 'a vendor package is imported by its exports',
    offenders: (sources) =>
      sources.flatMap((source) =>
        source.imports
          .filter((specifier) => {
            const name = packageOf(specifier);
            if (name === undefined || /^[@#]sluice\/|^#/.test(specifier)) return false;
            return !filesOnly.includes(name) && !isExported(specifier, manifestOf(name));
          })
          .map((specifier) => `${source.path} -> ${specifier}`),
      ),
  },
  {
    name: 'no private property of a vendor is read',
    offenders: (sources) =>
      sources.flatMap(({ path, text }) =>
        [...text.replaceAll(comment, '').matchAll(privateAccess)].map(([found]) => {
          return `${path}: ${found}`;
        }),
      ),
  },
];
