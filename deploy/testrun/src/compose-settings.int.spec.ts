import { deepEqual, ok } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { root } from './command.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const compose = read('docker-compose.yml');

/** The image or the published ports set them. */
const ofTheImage = ['SLUICE_HOST', 'SLUICE_DATA_DIR', 'SLUICE_PORT', 'SLUICE_ADMIN_PORT'];
/** The local starts read it. Routing there gets the address of the simulator only if it is wanted. */
const ofLocalStarts = ['SLUICE_SIMULATOR'];
const settingPattern = /\b(?:SLUICE|OTEL)_[A-Z_]+\b/g;

/** The settings of each group that config files spread, by the name of the group. A group may spread earlier ones. */
const groups = new Map<string, readonly string[]>();
const groupPattern = /export const (\w+) = \{([^]*?)\n\};/g;
const groupFiles = ['process-settings', 'egress-addresses'].map((name) =>
  read(`libs/boot/src/${name}.ts`),
);
for (const [, name = '', body = ''] of groupFiles.join('\n').matchAll(groupPattern))
  groups.set(name, [
    ...(body.match(/^ {2}[A-Z_]+(?=:)/gm) ?? []),
    ...[...body.matchAll(/\.\.\.(\w+),/g)].flatMap(([, spread = '']) => groups.get(spread) ?? []),
  ]);

/** Every setting that the schemas of a service's config files name. */
function settingsOf(service: string): readonly string[] {
  const folder = `services/${service}/src${service === 'routing' ? '/compose' : ''}`;
  const text = readdirSync(join(root, folder))
    .filter((file) => /(?:^|-)config\.ts$/.test(file))
    .map((file) => read(`${folder}/${file}`))
    .join('\n');
  const spread = [...groups].flatMap(([name, settings]) =>
    new RegExp(String.raw`\b${name}\b`).test(text) ? settings.map((one) => one.trim()) : [],
  );
  return [...new Set([...(text.match(settingPattern) ?? []), ...spread])].toSorted();
}

/** The text of a block of the file, and of the blocks that it merges. */
function block(start: string): string {
  const [, rest = ''] = compose.split(`\n${start}\n`);
  const indent = /^ */.exec(start)?.[0] ?? '';
  const own = rest.split(new RegExp(String.raw`\n${indent}(?=[^\s#])`))[0] ?? '';
  const merged = [...own.matchAll(/\*(environment|providers|search-engines|telemetry)\b/g)].map(
    ([, name = '']) => block(`x-${name}: &${name}`),
  );
  return [own, ...merged].join('\n');
}

const isPassed = (text: string) => (name: string) =>
  new RegExp(String.raw`^ +${name}: .*\S`, 'm').test(text);

describe('docker-compose.yml passes', () => {
  test.each([
    'account',
    'analytics',
    'gateway',
    'guardrail',
    'key',
    'ledger',
    'routing',
    'sandbox',
    'workspace',
  ])('every setting that the %s service reads', (service) => {
    const elsewhere = [...ofTheImage, ...ofLocalStarts];
    const settings = settingsOf(service).filter((name) => !elsewhere.includes(name));
    ok(settings.length >= 5, settings.join());
    const text = block(`  ${service}:`);
    deepEqual(
      settings.filter((name) => !isPassed(text)(name)),
      [],
    );
  });

  test('the key and the address of every provider to routing', () => {
    const presets = read('libs/providers/src/presets.ts');
    const names = presets.match(/(?<=')[A-Z_]+_(?:API_KEY|HOST|ENDPOINT)(?=')/g) ?? [];
    ok(names.length >= 14);
    const text = block('  routing:');
    deepEqual(
      names.filter((name) => !isPassed(text)(name)),
      [],
    );
  });

  test('the key and the address of every search engine to routing', () => {
    const config = read('services/routing/src/compose/web-search-config.ts');
    const names = config.match(/^ {2}[A-Z_]+_(?:API_KEY|URL)(?=:)/gm) ?? [];
    ok(names.length >= 14);
    const text = block('  routing:');
    deepEqual(
      names.map((name) => name.trim()).filter((name) => !isPassed(text)(name)),
      [],
    );
  });

  test('no key of a provider to another service', () => {
    for (const service of [
      'account',
      'analytics',
      'gateway',
      'guardrail',
      'key',
      'ledger',
      'sandbox',
      'workspace',
    ])
      deepEqual(block(`  ${service}:`).match(/\b[A-Z]+_API_KEY\b/g), null);
  });

  test('no key, database or bus to the sandbox', () => {
    const text = block('  sandbox:');
    ok(text.includes('SLUICE_RPC_TOKEN'));
    deepEqual(text.match(/POSTGRES|EVENTSTORE|NATS|PEPPER|EVENT_KEY|authority/g), null);
  });
});
