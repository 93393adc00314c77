import { deepEqual } from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { test } from 'vitest';
import { root, trackedFiles } from './source.ts';

const files = trackedFiles();
const pages = files.filter((path) => path.endsWith('.md'));
const texts = files.filter((path) => /\.(?:ts|mjs|md|ya?ml|json|sql|proto)$|Makefile$/.test(path));
const anchorsOf = new Map<string, ReadonlySet<string>>();

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const withoutCode = (text: string): string => text.replaceAll(/^ *(```|~~~)[\s\S]*?^ *\1/gm, '');

/** Returns the anchors of a page's headings, as GitHub names them. */
function anchors(page: string): ReadonlySet<string> {
  const known = anchorsOf.get(page);
  if (known) return known;
  const found = new Set<string>();
  for (const [, heading = ''] of withoutCode(read(page)).matchAll(/^#{1,6} (.+)$/gm)) {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = words.replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');
    found.add(found.has(slug) ? `${slug}-1` : slug);
  }
  anchorsOf.set(page, found);
  return found;
}

/** Returns true if a link of a page, relative to it, leads to a file and to a heading in it. */
function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : posix.join(posix.dirname(page), path);
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || !target.endsWith('.md') || anchors(target).has(anchor);
}

test('each link of a page leads to a file and to a heading in it', () => {
  const broken = pages.flatMap((page) =>
    [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^[a-z]+:/.test(link) && !leadsSomewhere(page, link))
      .map((link) => `${page}: ${link}`),
  );
  deepEqual(broken, []);
});

test('each page of docs that a source names is there', () => {
  const broken = texts.flatMap((path) =>
    [...read(path).matchAll(/(?<![\w/.-])docs\/[\w/-]+\.md(?:#[\w-]+)?/g)]
      .map(([page]) => page)
      .filter((page) => !leadsSomewhere('README.md', page))
      .map((page) => `${path}: ${page}`),
  );
  deepEqual(broken, []);
});

test('each decision that a text names by its number is there', () => {
  const numbers = new Set(
    files
      .map((path) => /^docs\/decisions\/(\d{4})-/.exec(path)?.[1])
      .filter((number) => number !== undefined)
      .map(Number),
  );
  const broken = texts.flatMap((path) =>
    [...read(path).matchAll(/\bdecisions?[ /](\d{1,4})\b/gi)]
      .filter(([, number]) => !numbers.has(Number(number)))
      .map(([named]) => `${path}: ${named}`),
  );
  deepEqual(broken, []);
});

test('the list of decisions has each of them with its title, and no other', () => {
  const index = read('docs/decisions/README.md');
  const listed = [...index.matchAll(/^\| *(\d+) \| \[(.+)\]\((\d{4}-[\w-]+\.md)\)/gm)];
  const there = files
    .filter((path) => /^docs\/decisions\/\d{4}-/.test(path))
    .map((path) => `${posix.basename(path)}: ${read(path).split('\n', 1)[0] ?? ''}`);
  deepEqual(
    listed.map(([, number, title, name]) => `${name}: # ${number}. ${title}`).toSorted(),
    there.toSorted(),
  );
});

test('the README of a service has at most 40 lines', () => {
  const long = pages.filter(
    (page) =>
      /^services\/[^/]+\/README\.md$/.test(page) && read(page).trimEnd().split('\n').length > 40,
  );
  deepEqual(long, []);
});

test('each file of ours that a page names is there', () => {
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/`((?:services|libs|deploy|protos)\/[\w./-]+)`/g)]
      .map(([, path = '']) => path)
      .filter((path) => !existsSync(join(root, path)))
      .map((path) => `${page}: ${path}`),
  );
  deepEqual(broken, []);
});

test('each recipe of CONTRIBUTING.md has at most ten lines', () => {
  const recipes = read('CONTRIBUTING.md').split(/^## /m).slice(1);
  const long = recipes.filter((recipe) => recipe.trim().split('\n').slice(2).length > 10);
  deepEqual(
    long.map((recipe) => recipe.split('\n', 1)[0]),
    [],
  );
});
