import { posix } from 'node:path';
import { type Package, packageOf, resolveRelative, type Source } from './source.ts';
import { devVendors, vendorBorders } from './vendors.ts';

/** The architecture as a table: a name that is a sentence, and what breaks it. */
export interface Rule {
  readonly name: string;
  /** Lines `where: what`; empty when the rule is kept. */
  readonly offenders: (sources: readonly Source[], packages: readonly Package[]) => string[];
}

const importing = (
  name: string,
  breaks: (source: Source, specifier: string, packages: readonly Package[]) => boolean,
): Rule => ({
  name,
  offenders: (sources, packages) =>
    sources.flatMap((source) =>
      source.imports
        .filter((specifier) => breaks(source, specifier, packages))
        .map((specifier) => `${source.path} -> ${specifier}`),
    ),
});

const matching = (
  name: string,
  pattern: RegExp,
  applies: (source: Source) => boolean = () => true,
): Rule => ({
  name,
  offenders: (sources) =>
    sources.filter(applies).flatMap((source) =>
      source.text.split('\n').flatMap((line, index) => {
        const found = pattern.exec(line)?.[0];
        return found === undefined ? [] : [`${source.path}:${index + 1}: ${found.trim()}`];
      }),
    ),
});

const tierOf = (packages: readonly Package[], name: string) =>
  packages.find(({ manifest }) => manifest.name === name)?.manifest.sluice?.tier;

const mayDependOn: Readonly<Record<string, readonly string[]>> = {
  pure: ['pure'],
  adapter: ['pure', 'adapter'],
  boot: ['pure', 'adapter', 'boot'],
  service: ['pure', 'adapter', 'boot'],
  deploy: ['pure', 'adapter', 'boot', 'service', 'deploy', 'dev'],
  dev: ['pure', 'adapter', 'boot', 'service', 'deploy', 'dev'],
};

const inFolder = (source: Source, folder: string) => source.inside.startsWith(`${folder}/`);
const isService = (source: Source) => source.package.folder.startsWith('services/');
const reaches = (source: Source, specifier: string, folder: string) =>
  specifier.startsWith('.') &&
  resolveRelative(source, specifier).startsWith(`${source.package.folder}/src/${folder}/`);
const isProduct = (source: Source) =>
  !source.isTest && source.package.manifest.sluice?.tier !== 'dev';

const knownToDomains: readonly string[] = [
  '@sluice/amounts',
  '@sluice/analytics-model',
  // Settings of plugins: the rules of requests, which a workspace stores.
  '@sluice/client-schemas/plugins',
  '@sluice/client-schemas/presets',
  '@sluice/destinations',
  '@sluice/es',
  '@sluice/errors',
  '@sluice/generation-contents',
  // Amounts as numbers.
  '@sluice/inference',
  '@sluice/usage-facts',
  // Schemas of events: data without behavior.
  'typebox',
];

export const importRules: readonly Rule[] = [
  importing('a service never imports a service', (source, specifier, packages) => {
    const name = packageOf(specifier);
    return isService(source) && name !== undefined && tierOf(packages, name) === 'service';
  }),
  importing('nobody reaches into a package by path', (source, specifier) => {
    if (!specifier.startsWith('.')) return false;
    return !resolveRelative(source, specifier).startsWith(`${source.package.folder}/`);
  }),
  importing(
    'a domain imports its siblings and the libraries that domains may know',
    (source, specifier) => {
      if (!isService(source) || !inFolder(source, 'domain') || source.isTest) return false;
      if (!specifier.startsWith('.')) return !knownToDomains.includes(specifier);
      return !resolveRelative(source, specifier).startsWith(`${source.package.folder}/src/domain/`);
    },
  ),
  importing(
    'queries do not know the domain',
    (source, specifier) => inFolder(source, 'queries') && reaches(source, specifier, 'domain'),
  ),
  importing(
    'rpc does not know projections',
    (source, specifier) =>
      !source.isTest && inFolder(source, 'rpc') && reaches(source, specifier, 'projections'),
  ),
  importing(
    'projections know events, not decisions',
    (source, specifier) =>
      inFolder(source, 'projections') && !source.isTest && specifier.endsWith('/decide.ts'),
  ),
  importing('a tier depends only on the tiers below it', (source, specifier, packages) => {
    const name = packageOf(specifier);
    const tier = name === undefined ? undefined : tierOf(packages, name);
    if (tier === undefined || source.isTest || name === source.package.manifest.name) return false;
    return !mayDependOn[source.package.manifest.sluice?.tier ?? '']?.includes(tier);
  }),
  importing(
    'libraries and services import nothing from deploy, nor do their tests',
    (source, specifier, packages) => {
      const name = packageOf(specifier);
      if (source.package.folder.startsWith('deploy/') || name === undefined) return false;
      return tierOf(packages, name) === 'deploy';
    },
  ),
  importing('a vendor package is imported inside its border only', (source, specifier) => {
    const name = packageOf(specifier);
    if (name === undefined || name.startsWith('@sluice/')) return false;
    if (devVendors.includes(name))
      return isProduct(source) && source.package.manifest.sluice?.tier !== 'deploy';
    if (name === 'undici' && source.isTest) return false;
    const borders = vendorBorders[name] ?? [];
    return !borders.some((border) => source.path.startsWith(`${border}/`));
  }),
  importing('a bare import is a dependency of its own package', (source, specifier) => {
    const name = packageOf(specifier);
    if (name === undefined || devVendors.includes(name)) return false;
    if (name === source.package.manifest.name || source.isTest) return false;
    return source.package.manifest.dependencies?.[name] === undefined;
  }),
  importing(
    'a relative import names the file with its extension',
    (_source, specifier) => specifier.startsWith('.') && posix.extname(specifier) === '',
  ),
];

const isEntry = (source: Source) => /(^|\/)(main|config|vitest\.config)\.ts$/.test(source.inside);
const isAdapterOrEntry = (source: Source) =>
  isEntry(source) ||
  ['adapter', 'boot', 'deploy', 'dev'].includes(source.package.manifest.sluice?.tier ?? '');

/** In the transaction of a reaction, or beside tables that are closed to accounts. */
const askedByTheOwner = [
  'services/guardrail/src/queries/guardrails-of-workspace.ts',
  'services/ledger/src/queries/read-conservation.ts',
];

/** Clients of ours; the simulator and the providers tell streams of others. */
const readsStreams = [
  'deploy/acceptance/',
  'deploy/chaos/',
  'deploy/simulation/',
  'services/routing/',
];
const uncheckedClient =
  /(?<![A-Za-z])fetch\([^\n]*\/responses|\b(?:new OpenAI|createOpenAI)\((?![^;]*checkedFetch)/;

/** The lines of a switch are indented deeper than the switch. */
const partsByDefault = /^( *)switch \(part\.type\) \{\n(?:\1 .*\n|\n)*?\1 +default:/m;

/** Matches the first word of a doc comment, on its first line or on the next. */
const subjectless =
  /\/\*\*(?:\n *\*)? (?:How|As|Whether|Those|By|Its|Tells|Hears|Behind|[Uu]ndefined:) /g;

export const textRules: readonly Rule[] = [
  matching(
    'a comment is a sentence: it does not begin with Of, What, Who, Where, Whoever, Nobody or Somebody',
    /(?:^|\s)(?:\/\/|\/\*\*|\*) (?:Of|What|Who|Where|Whoever|Nobody|Somebody) /,
  ),
  {
    name: 'a doc comment does not begin with How, As, Whether, Those, By, Its, Tells, Hears, Behind or undefined:',
    offenders: (sources) =>
      sources.flatMap(({ path, text }) =>
        [...text.matchAll(subjectless)].map(({ 0: found, index }) => {
          const line = text.slice(0, index).split('\n').length;
          return `${path}:${line}: ${found.replaceAll(/\s+/g, ' ').trim()}`;
        }),
      ),
  },
  matching(
    'the environment is read in main.ts and config.ts only',
    /\bprocess\.env\b/,
    (source) =>
      isProduct(source) &&
      !isEntry(source) &&
      !['deploy', 'boot'].includes(source.package.manifest.sluice?.tier ?? ''),
  ),
  matching(
    'time and chance come in from outside',
    /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\brandomUUID\(/,
    (source) => isProduct(source) && !isAdapterOrEntry(source),
  ),
  {
    name: 'a question of an account is asked for that account, behind the second wall',
    offenders: (sources) =>
      sources
        .filter((source) => isService(source) && inFolder(source, 'queries') && !source.isTest)
        .filter(({ text }) => /\baccount_id = \$\d/.test(text) && !text.includes('.forAccount('))
        .map(({ path }) => path)
        .filter((path) => !askedByTheOwner.includes(path)),
  },
  {
    name: 'a test reads the stream of a response through its checker',
    offenders: (sources) =>
      sources
        .filter(({ path }) => readsStreams.some((folder) => path.startsWith(folder)))
        .filter(({ text }) => uncheckedClient.test(text))
        .map(({ path }) => path),
  },
  {
    name: 'a switch over the parts of an answer names each of them and has no default branch',
    offenders: (sources) =>
      sources
        .filter(({ path, isTest }) => path.startsWith('services/routing/') && !isTest)
        .filter(({ text }) => partsByDefault.test(text))
        .map(({ path }) => path),
  },
  matching('nothing is exported by star', /^export \*/),
  matching('no marker is left over', /\b(?:TO[D]O|FIX[M]E|X[X]X|HA[C]K)\b/),
  matching(
    'a test waits for progress (libs/patience), not for the clock',
    /\bvi\.wait(?:For|Until)\b/,
  ),
  matching('no test is skipped or alone', /\b(?:it|test|describe)\.(?:only|todo|skip)\b/),
  matching(
    'the event store node never takes the first element for one that is missing',
    /(?:\]|\.(?:at|find|findLast)\(.*\)) \?\? 0\b/,
    (source) => source.path.startsWith('libs/eventstore-server/') && !source.isTest,
  ),
  matching(
    'a user’s pattern never becomes a RegExp',
    /new RegExp\(/,
    // Their patterns are constants, and tests examine them.
    (source) =>
      isProduct(source) && !source.path.startsWith('libs/content-filter/src/recognizers/'),
  ),
];

const lineLimit = 300;
const mainLineLimit = 60;
const columnLimit = 120;

export const sizeRules: readonly Rule[] = [
  {
    name: `a file has at most ${lineLimit} lines`,
    offenders: (sources) =>
      sources
        .map((source) => ({ source, lines: source.text.split('\n').length - 1 }))
        .filter(({ source, lines }) => !source.isTest && lines > lineLimit)
        .map(({ source, lines }) => `${source.path}: ${lines}`),
  },
  {
    name: `a main.ts has at most ${mainLineLimit} lines`,
    offenders: (sources) =>
      sources
        .map((source) => ({ source, lines: source.text.split('\n').length - 1 }))
        .filter(({ source, lines }) => source.inside === 'main.ts' && lines > mainLineLimit)
        .map(({ source, lines }) => `${source.path}: ${lines}`),
  },
  {
    name: `a line has at most ${columnLimit} columns`,
    offenders: (sources) =>
      // A recorded answer of a provider in a spec may be longer.
      sources
        .filter(({ isTest }) => !isTest)
        .flatMap((source) =>
          source.text
            .split('\n')
            .flatMap((line, index) =>
              line.length > columnLimit ? [`${source.path}:${index + 1}: ${line.length}`] : [],
            ),
        ),
  },
];
