import { deepEqual, equal, ok } from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { beforeAll, describe, test } from 'vitest';
import { command, generate, type Generated } from './generate.ts';
import { structureProblems } from './testing/asyncapi-structure.ts';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const found = (pattern: string) => globSync(pattern, { cwd: root }).toSorted();

const outOfDate = (page: Generated, text: string) =>
  page.text === text ? [] : [`${page.path} is out of date: run ${command}`];

describe('the generated files', () => {
  let pages: readonly Generated[];
  beforeAll(async () => {
    pages = await generate(root);
  });

  test('say what the sources say', () => {
    deepEqual(
      pages.flatMap((page) => outOfDate(page, read(page.path))),
      [],
    );
  });

  test('are out of date when anything in them differs', () => {
    deepEqual(
      pages.flatMap((page) => outOfDate(page, `${read(page.path)}\n`)),
      [
        `docs/events.md is out of date: run ${command}`,
        `docs/asyncapi.yaml is out of date: run ${command}`,
        `deploy/cli/src/api-commands/api-commands.json is out of date: run ${command}`,
      ],
    );
  });
});

describe('docs/events.md', () => {
  const page = read('docs/events.md');

  test('has each event that has a golden file, with its meaning', () => {
    const types = goldenTypes();
    ok(types.length >= 50);
    deepEqual(
      types.filter((type) => !new RegExp(`^\\| \`${type}\`.* \\| \\w.*\\. +\\|$`, 'm').test(page)),
      [],
    );
  });

  test('has each message of each *_events.proto that is sent by itself', () => {
    const messages = protoMessages().filter(({ isPart }) => !isPart);
    ok(messages.length >= 4);
    deepEqual(
      messages.filter(({ name }) => !page.includes(`| \`${name}\` `)),
      [],
    );
  });

  test('stays short', () => {
    ok(page.split(/[\s|-]+/).length <= 2_500);
  });

  test('leads only to files that there are, and to headings that it has', () => {
    const targets = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);
    const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(
      ([, heading = '']) => `#${heading.toLowerCase()}`,
    );
    const lost = targets.filter((target) =>
      target.startsWith('#')
        ? !headings.includes(target)
        : found(join('docs', target)).length === 0,
    );
    deepEqual(lost, []);
  });
});

describe('docs/asyncapi.yaml', () => {
  const document = parse(read('docs/asyncapi.yaml')) as Readonly<
    Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>
  >;

  test('keeps the structure of AsyncAPI 3.0', () => {
    deepEqual(structureProblems(document), []);
  });

  test('has each event in the event store, in each version, on a channel of its own service', () => {
    const { channels = {}, operations = {}, components = {} } = document;
    for (const type of goldenTypes()) {
      const found = Object.entries(components['messages'] ?? {}).filter(
        ([key, message]) =>
          key.endsWith(`.${type}`) && (message as { name?: string }).name === type,
      );
      equal(found.length, 1, type);
      const [key = '', message] = found[0] ?? [];
      const { 'x-schema-version': version, 'x-earlier-versions': earlier = [] } = message as {
        readonly 'x-schema-version': number;
        readonly 'x-earlier-versions'?: readonly unknown[];
      };
      equal(earlier.length, version - 1, type);
      equal(versionsOf(type), version, type);
      const channel = `store.${key.slice(0, key.indexOf('.'))}`;
      ok(Object.hasOwn(channels[channel]?.['messages'] ?? {}, type), `${type} is on ${channel}`);
      ok(Object.keys(operations).some((name) => name.endsWith(`-send-${channel}`)));
    }
  });

  test('has each message of each *_events.proto, on a channel, sent by a service', () => {
    const { channels = {}, operations = {}, components = {} } = document;
    for (const { name, fullName, isPart } of protoMessages()) {
      if (isPart) continue;
      const message = components['messages']?.[name] as { readonly name?: string } | undefined;
      equal(message?.name, fullName);
      const on = Object.entries(channels).find(
        ([, channel]) =>
          (channel['messages'] as object | undefined) && name in (channel['messages'] as object),
      );
      const reference = `#/channels/${on?.[0]}`;
      const sent = Object.values(operations).filter(
        ({ action, channel }) =>
          action === 'send' && (channel as { readonly $ref: string }).$ref === reference,
      );
      ok(sent.length > 0, `${name} is sent by a service`);
    }
  });
});

const goldenFiles = found('services/*/src/domain/*/golden/*.json').map((file) => basename(file));
const goldenTypes = () => [...new Set(goldenFiles.map((name) => name.slice(0, name.indexOf('.'))))];
const versionsOf = (type: string) =>
  goldenFiles.filter((name) => name.startsWith(`${type}.`)).length;

interface ProtoMessage {
  readonly name: string;
  readonly fullName: string;
  /** Others are lists of it. */
  readonly isPart: boolean;
}

function protoMessages(): readonly ProtoMessage[] {
  return found('protos/sluice/**/*_events.proto').flatMap((file) => {
    const source = read(file);
    const scope = /^package ([\w.]+);/m.exec(source)?.[1] ?? '';
    return [...source.matchAll(/^message (\w+) /gm)].map(([, name = '']) => ({
      name,
      fullName: `${scope}.${name}`,
      isPart: source.includes(` repeated ${name} `),
    }));
  });
}
