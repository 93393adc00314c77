import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { pluginDefaultProblems, readDefaultEntry, writeDefaultEntry } from './defaults.ts';

const problemsOf = (...entries: readonly Readonly<Record<string, unknown>>[]) =>
  pluginDefaultProblems(entries.map(readDefaultEntry), 'default_plugins').map(
    ({ path, message }) => `${path}: ${message}`,
  );

describe('the defaults of plugins', () => {
  test('are entries of a request, with a mark of their own', () => {
    const entry = { id: 'moderation', prevent_overrides: true };
    deepEqual(problemsOf(entry), []);
    deepEqual(writeDefaultEntry(readDefaultEntry(entry)), entry);
    deepEqual(readDefaultEntry({ id: 'web' }).preventsOverrides, false);
  });

  test('have no field that has no effect', () => {
    deepEqual(problemsOf({ id: 'moderation', strength: 1 }), [
      'default_plugins[0].strength: there is no such field',
    ]);
    deepEqual(problemsOf({ id: 'file-parser', enabled: false, pdf: { pages: 1 } }), [
      'default_plugins[0].pdf.pages: there is no such field',
    ]);
  });

  test('are checked like the entries of a request, also when they are off', () => {
    deepEqual(problemsOf({ id: 'fusion', enabled: false, max_tool_calls: 17 }), [
      'default_plugins[0].max_tool_calls: must be at most 16',
    ]);
    equal(problemsOf({ id: 'nobody' }).length, 1);
    equal(problemsOf({}).length, 1);
  });

  test('name each plugin once', () => {
    deepEqual(problemsOf({ id: 'moderation' }, { id: 'moderation' }), [
      'default_plugins[1].id: stands in the list already',
    ]);
  });

  test('have a bound', () => {
    const many = Array.from({ length: 33 }, () => ({ id: 'moderation' }));
    deepEqual(problemsOf(...many), ['default_plugins: must have at most 32 items']);
    const patterns = Array.from({ length: 64 }, () => 'a'.repeat(1_000));
    const long = { id: 'auto-router', enabled: false, allowed_models: patterns };
    deepEqual(problemsOf(long), []);
    deepEqual(problemsOf({ ...long, excluded_models: patterns }, { id: 'moderation' }), []);
    const beta = { ...long, id: 'auto-beta-router', excluded_models: patterns };
    deepEqual(problemsOf({ ...long, excluded_models: patterns }, beta), [
      'default_plugins: must have at most 131072 characters as JSON',
    ]);
  });
});
