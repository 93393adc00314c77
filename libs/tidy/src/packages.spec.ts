import { deepEqual, equal, ok } from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { root } from './source.ts';

interface Locked {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly os?: string | readonly string[];
  readonly cpu?: string | readonly string[];
  readonly libc?: string | readonly string[];
}

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const lock = read('package-lock.json');
const { packages } = JSON.parse(lock) as { readonly packages: Readonly<Record<string, Locked>> };
const { allowScripts } = JSON.parse(read('package.json')) as {
  readonly allowScripts: Readonly<Record<string, boolean>>;
};

/** The packages of the registry, by their place below the root. */
const fromRegistry = Object.entries(packages).filter(
  ([place, { link }]) => place.includes('node_modules/') && !link,
);
const nameOf = (place: string) => place.slice(place.lastIndexOf('node_modules/') + 13);

/** Returns true if Sluice runs there: Linux with glibc, which Node and PostgreSQL from npm need. */
function isSupported({ os = 'linux', cpu = 'x64', libc }: Locked): boolean {
  const libcs = libc === undefined ? undefined : [libc].flat();
  return (
    [os].flat().includes('linux') &&
    [cpu].flat().some((each) => each === 'x64' || each === 'arm64') &&
    (libcs === undefined || libcs.includes('glibc'))
  );
}

describe('package-lock.json', () => {
  test('pins the content of each package that is installed where Sluice runs', () => {
    ok(fromRegistry.length > 400);
    const unpinned = fromRegistry
      .filter(([, { integrity = '' }]) => !/^sha512-[\w+/]{86}==$/.test(integrity))
      .filter(([place, locked]) => isSupported(locked) && !place.endsWith('-musl'));
    deepEqual(
      unpinned.map(([place]) => place),
      [],
    );
  });

  test('lacks a hash only for optional programs of other platforms', () => {
    const unpinned = fromRegistry.filter(([, { integrity }]) => integrity === undefined);
    for (const [place, { optional, dev, os }] of unpinned)
      ok(optional === true && dev === true && os !== undefined, place);
  });

  test('names no host: everybody asks the registry that they have chosen', () => {
    const named = fromRegistry.filter(([, { resolved }]) => resolved !== undefined);
    deepEqual(named, []);
    equal(/https?:\/\/[^"]*registry/.test(lock), false);
  });

  test('has no program that reports installations', () => {
    const reporters = Object.entries(packages).filter(
      ([place, { link }]) => nameOf(place).startsWith('@scarf/') && !link,
    );
    deepEqual(
      reporters.filter(([place]) => place.includes('node_modules/')),
      [],
    );
    equal(packages['node_modules/@scarf/scarf']?.resolved, 'libs/tidy/empty-package');
    deepEqual(readdirSync(join(root, 'libs', 'tidy', 'empty-package')), ['package.json']);
    equal(/"(?:main|bin|scripts)"/.test(read('libs/tidy/empty-package/package.json')), false);
  });
});

describe('an installation', () => {
  test('runs no script of a package', () => {
    ok(read('.npmrc').split('\n').includes('ignore-scripts=true'));
  });

  test('has decided on each package that has one', () => {
    const withScript = fromRegistry.filter(([, { hasInstallScript }]) => hasInstallScript);
    const names = new Set(withScript.map(([place]) => nameOf(place)));
    deepEqual(Object.keys(allowScripts), [...names].toSorted());
    deepEqual(
      Object.values(allowScripts).filter((isAllowed) => isAllowed),
      [],
    );
  });

  test('leaves a Node.js of the version that is asked for', () => {
    const { mode } = statSync(join(root, 'node_modules', '.bin', 'node'));
    ok((mode & 0o111) !== 0);
    equal(process.versions.node.split('.')[0], '24');
  });
});
