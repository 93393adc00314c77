import { deepEqual, equal, ok } from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { beforeAll, describe, test } from 'vitest';
import { command, generate, type Generated } from './generate.ts';
import { structureProblems } from './testing/asyncapi-structure.ts';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const found = (pattern: string) => globSync(pattern, { cwd: root }).toSorted();

const outOfDate = (page: Generated, text: string) =>
  page.text === text ? [] : [`${page.path} is out of date: run ${command}`];

describe('the pages about events', () => {
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
      ],
    );
  });
});

describe('docs/events.md', () => {
  const page = read('docs/events.md');

  test('has each event of each codec, with its stream', () => {
    const stores = found('services/*/src/store/*-events.ts');
    const events = stores.flatMap((file) => {
      const current = /current: \{([^}]*)\}/.exec(read(file))?.[1] ?? '';
      const prefix = /StreamPrefix = '([^']+)'/.exec(read(file))?.[1] ?? '';
      return [...current.matchAll(/(\w+): \d+/g)].map(([, type]) => ({ type, prefix }));
    });
    ok(events.length >= 11);
    const missing = events.filter(
      ({ type, prefix }) =>
        !page.includes(`\n#### ${type}\n`) || !page.includes(`\nStreams \`${prefix}<`),
    );
    deepEqual(missing, []);
  });

  test('has the declarations of each event, whole', () => {
    const sources = [...found('services/*/src/domain/*/events.ts'), 'libs/es/src/event.ts'];
    ok(sources.length >= 16);
    const missing = sources.filter(
      (file) => !page.includes(`\n\`\`\`ts\n${read(file).trimEnd()}\n\`\`\`\n`),
    );
    deepEqual(missing, []);
  });

  test('has each message of each *_events.proto', () => {
    const messages = protoMessages();
    ok(messages.length >= 4);
    deepEqual(
      messages.filter(({ name, isPart }) => !page.includes(`\n###${isPart ? '#' : ''} ${name}\n`)),
      [],
    );
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
