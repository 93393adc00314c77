import { deepEqual } from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { roomRules } from './rooms.ts';
import { importRules, type Rule, sizeRules, textRules } from './rules.ts';
import { isExported, vendorRules } from './vendor-internals.ts';
import { readPackages, readSources, root, type Source, trackedFiles } from './source.ts';

const files = trackedFiles();
const packages = readPackages(files);
const sources = readSources(files, packages);

describe('the sources keep the architecture', () => {
  for (const rule of [...importRules, ...roomRules, ...vendorRules, ...textRules, ...sizeRules])
    test(rule.name, () => deepEqual(rule.offenders(sources, packages), []));
});

test('Node reads each source as it is: it strips the types, and the test runner does not', () => {
  const unreadable = sources
    .filter(({ isTest }) => !isTest)
    .flatMap(({ path, text }) => {
      try {
        stripTypeScriptTypes(text);
        return [];
      } catch (error) {
        return [`${path}: ${String(error)}`];
      }
    });
  deepEqual(unreadable, []);
});

describe('the packages are described', () => {
  const tiers = ['pure', 'adapter', 'boot', 'service', 'deploy', 'dev'];
  test('each has a scope, a tier, a licence and is a module', () => {
    const wrong = packages.filter(
      ({ manifest }) =>
        !manifest.name.startsWith('@sluice/') ||
        !tiers.includes(manifest.sluice?.tier ?? '') ||
        manifest.license !== 'Apache-2.0' ||
        manifest.type !== 'module',
    );
    deepEqual(
      wrong.map(({ folder }) => folder),
      [],
    );
  });

  test('each has a README', () => {
    const without = packages.filter(({ folder }) => !existsSync(join(root, folder, 'README.md')));
    deepEqual(
      without.map(({ folder }) => folder),
      [],
    );
  });

  test('each dependency is used', () => {
    const unused = packages.flatMap(({ folder, manifest }) =>
      Object.keys(manifest.dependencies ?? {})
        // The imports of generated code are not in the tree.
        .filter(() => folder !== 'libs/protos')
        .filter((name) => !sources.some((source) => imports(source, folder, name)))
        .map((name) => `${folder}: ${name}`),
    );
    deepEqual(unused, []);
  });
});

describe('the repository', () => {
  test('has a lockfile that knows every workspace and what it depends on', () => {
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { dependencies?: Record<string, string> }>;
    };
    deepEqual(
      packages.map(({ folder }) => [folder, lock.packages[folder]?.dependencies ?? {}]),
      packages.map(({ folder, manifest }) => [folder, manifest.dependencies ?? {}]),
    );
  });

  test('wraps the prose of its pages below 130 columns', () => {
    const generated = ['docs/events.md'];
    const pages = files.filter((path) => path.endsWith('.md') && !generated.includes(path));
    deepEqual(pages.flatMap(wideLines), []);
  });

  test('names no package registry', () => {
    const host = /\b(?:registry\.[a-z]+|deb\.[a-z]+|snapshot\.[a-z]+)\.(?:org|com)\b/;
    deepEqual(
      files.filter((path) => host.test(readFileSync(join(root, path), 'utf8'))),
      [],
    );
  });
});

describe('the rules', () => {
  const owner = {
    folder: 'services/key',
    manifest: { name: '@sluice/key', sluice: { tier: 'service' } },
  };
  const ledger = {
    folder: 'services/ledger',
    manifest: { name: '@sluice/ledger', sluice: { tier: 'service' } },
  };
  const simulation = {
    folder: 'deploy/simulation',
    manifest: { name: '@sluice/simulation', sluice: { tier: 'deploy' } },
  };
  const source = (inside: string, text: string, imports: readonly string[] = []): Source => ({
    path: `services/key/src/${inside}`,
    text,
    package: owner,
    inside,
    isTest: false,
    imports,
  });
  const broken = (rules: readonly Rule[], given: Source) =>
    rules
      .filter((rule) => rule.offenders([given], [owner, ledger, simulation]).length > 0)
      .map(({ name }) => name);

  test('catch a service that imports a service, without declaring it', () => {
    deepEqual(broken(importRules, source('rpc/a.ts', '', ['@sluice/ledger/service'])), [
      'a service never imports a service',
      'a tier depends only on the tiers below it',
      'a bare import is a dependency of its own package',
    ]);
  });

  test('catch a test of a service that imports what deploys it', () => {
    const given = { ...source('a.int.spec.ts', '', ['@sluice/simulation']), isTest: true };
    deepEqual(broken(importRules, given), [
      'libraries and services import nothing from deploy, nor do their tests',
    ]);
  });

  test('catch a path into another package', () => {
    deepEqual(broken(importRules, source('rpc/a.ts', '', ['../../../ledger/src/service.ts'])), [
      'nobody reaches into a package by path',
    ]);
  });

  test('catch a question of an account that every row could answer', () => {
    const text = 'readModel.query({ text: `SELECT hash FROM api_keys WHERE account_id = $1` })';
    const name = 'a question of an account is asked for that account, behind the second wall';
    deepEqual(broken(textRules, source('queries/a.ts', text)), [name]);
    const behind = text.replace('readModel.', 'readModel.forAccount(accountId).');
    deepEqual(broken(textRules, source('queries/a.ts', behind)), []);
  });

  test('catch a doc comment without its subject, on its first line or below', () => {
    const name =
      'a doc comment does not begin with How, As, Whether, Those, By, Its, Tells, Hears, Behind or undefined:';
    const comment = (first: string) =>
      source('a.ts', `/** ${first} it ends.\n * How it began. */\n`);
    const below = (first: string) => source('a.ts', `  /**\n   * ${first} none.\n   */\n`);
    deepEqual(broken(textRules, comment('How')), [name]);
    deepEqual(broken(textRules, below('undefined:')), [name]);
    deepEqual(broken(textRules, comment('Says how')), []);
    deepEqual(broken(textRules, below('Undefined means')), []);
  });

  test('catch a switch over parts that passes over unknown ones', () => {
    const name =
      'a switch over the parts of an answer names each of them and has no default branch';
    const writer = (last: string) => ({
      ...source(
        'a.ts',
        `  switch (part.type) {\n    case 'a':\n      return 1;\n\n    ${last}:\n  }\n`,
      ),
      path: 'services/routing/src/dialects/a.ts',
    });
    deepEqual(broken(textRules, writer('default')), [name]);
    deepEqual(broken(textRules, writer("case 'b'")), []);
  });

  test('catch a client whose streams nobody checks', () => {
    const name = 'a test reads the stream of a response through its checker';
    const client = (text: string) => ({
      ...source('a.spec.ts', text),
      path: 'deploy/acceptance/src/a.spec.ts',
    });
    for (const text of [
      'await fetch(`${url}/responses`, {})',
      'new OpenAI({ baseURL, apiKey }); checkedFetch(url);',
      'createOpenAI({ baseURL })',
    ])
      deepEqual(broken(textRules, client(text)), [name]);
    for (const text of [
      'await checkedFetch(`${url}/responses`, {})',
      'new OpenAI({\n  baseURL,\n  fetch: checkedFetch,\n});',
      'await fetch(`${url}/models`)',
    ])
      deepEqual(broken(textRules, client(text)), []);
  });

  test('catch a room that imports a higher one, two files in a circle, money outside of a turn, and a dialect', () => {
    const routing = { ...owner, folder: 'services/routing' };
    const inRouting = (inside: string, imports: readonly string[]): Source => ({
      ...source(inside, '', imports),
      path: `services/routing/src/${inside}`,
      package: routing,
    });
    const [rooms, circles, money, seam] = roomRules;
    const up = [inRouting('admission/a.ts', ['../turn/b.ts'])];
    deepEqual(rooms?.offenders(up, []), ['services/routing/src/admission/a.ts -> turn/b.ts']);
    const told = [inRouting('response/a.ts', ['../admission/b.ts', '../usage/journal/c.ts'])];
    deepEqual(money?.offenders(told, []), [
      'services/routing/src/response/a.ts -> admission/b.ts',
      'services/routing/src/response/a.ts -> usage/journal/c.ts',
    ]);
    const speaks = ['../dialects/dialect.ts', '../dialects/responses/index.ts'];
    deepEqual(seam?.offenders([inRouting('response/a.ts', speaks)], []), [
      'services/routing/src/response/a.ts -> dialects/responses/index.ts',
    ]);
    const down = [inRouting('turn/b.ts', ['../admission/a.ts', './c.ts', '../config.ts'])];
    deepEqual(rooms?.offenders(down, []), []);
    const circle = [inRouting('turn/b.ts', ['./c.ts']), inRouting('turn/c.ts', ['./b.ts'])];
    deepEqual(circles?.offenders(circle, []), [
      'services/routing/src/turn/b.ts <-> services/routing/src/turn/c.ts',
    ]);
  });

  test('catch a dialect that imports a sibling', () => {
    const inProviders = (inside: string, imports: readonly string[]): Source => ({
      ...source(inside, '', imports),
      path: `libs/providers/src/${inside}`,
      package: { ...owner, folder: 'libs/providers' },
    });
    const siblings = roomRules.at(-2);
    const asked = ['./b.ts', '../shared.ts', '../openai-responses/c.ts'];
    deepEqual(siblings?.offenders([inProviders('openai-chat/a.ts', asked)], []), [
      'libs/providers/src/openai-chat/a.ts -> openai-responses/c.ts',
    ]);
    deepEqual(siblings?.offenders([inProviders('shared.ts', ['./openai-chat/a.ts'])], []), []);
    const client: Source = {
      ...source('', '', ['./b.ts', '../answer/c.ts', '../dialect.ts', '../responses/d.ts']),
      path: 'services/routing/src/dialects/messages/a.ts',
      package: { ...owner, folder: 'services/routing' },
    };
    deepEqual(siblings?.offenders([client], []), [
      'services/routing/src/dialects/messages/a.ts -> responses/d.ts',
    ]);
  });

  test('catch a room of an aggregate service that imports a higher one, and a room without a floor', () => {
    const inKey = (inside: string, imports: readonly string[]): Source => ({
      ...source(inside, '', imports),
      path: `services/key/src/${inside}`,
      package: { ...owner, folder: 'services/key' },
    });
    const [rooms] = roomRules;
    const floors = roomRules.at(-1);
    deepEqual(rooms?.offenders([inKey('store/a.ts', ['../commands/b.ts', '../domain/c.ts'])], []), [
      'services/key/src/store/a.ts -> commands/b.ts',
    ]);
    const known = ['../domain/b.ts', '../store/c.ts', '../projections/d.ts'];
    deepEqual(rooms?.offenders([inKey('rpc/a.ts', known)], []), [
      'services/key/src/rpc/a.ts -> projections/d.ts',
    ]);
    deepEqual(floors?.offenders([inKey('attic/a.ts', []), inKey('rpc/a.ts', [])], []), [
      'services/key/src/attic',
    ]);
  });

  test('catch what a vendor keeps to itself: a path beside its exports, and a private property', () => {
    const [exported, properties] = vendorRules;
    const paths = source('a.ts', '', ['typebox/value', 'undici/lib/core/symbols.js', 'undici']);
    deepEqual(exported?.offenders([paths], []), [`${paths.path} -> undici/lib/core/symbols.js`]);
    const manifest = { exports: { '.': './a.js', './lib/*': './lib/*.js' } };
    deepEqual(
      ['a', 'a/lib/b', 'a/lib/', 'a/src/b'].map((path) => isExported(path, manifest)),
      [true, true, false, false],
    );
    const text = [
      'socket._handle.fd;',
      "reply['_header'];",
      'client?.[kQueue];',
      'Object.getOwnPropertySymbols(client);',
      '// request._parsed is read by nobody',
      'const { _: rest } = names; [kMax, 0.000_022, this.#own];',
    ].join('\n');
    deepEqual(properties?.offenders([source('a.ts', text, [])], []).length, 4);
  });

  test('catch a domain that reads the clock and the store', () => {
    const impure = source('domain/api-key/decide.ts', 'const now = Date.now();', [
      '../../store/a.ts',
    ]);
    deepEqual(broken([...importRules, ...textRules], impure), [
      'a domain imports its siblings and the libraries that domains may know',
      'time and chance come in from outside',
    ]);
  });
});

function imports(source: Source, folder: string, name: string): boolean {
  return (
    source.package.folder === folder &&
    source.imports.some((specifier) => specifier === name || specifier.startsWith(`${name}/`))
  );
}

/** Returns the places of lines over 130 columns that are no code, table or heading. */
function wideLines(path: string): readonly string[] {
  const lines = readFileSync(join(root, path), 'utf8').split('\n');
  let isCode = false;
  return lines.flatMap((line, index) => {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) isCode = !isCode;
    const isProse = !isCode && !isFence && !/^(?:[|#]|!?\[|\s*<)/.test(line);
    return isProse && line.length > 130 ? [`${path}:${index + 1}: ${line.length}`] : [];
  });
}
