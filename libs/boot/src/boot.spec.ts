import { deepEqual, equal, throws } from 'node:assert/strict';
import { inspect } from 'node:util';
import { Type } from 'typebox';
import { describe, test } from 'vitest';
import { createLogger } from '@sluice/logging';
import { Lifecycle, loadConfig, Secret, secret } from './index.ts';

const schema = Type.Object({
  PORT: Type.Integer({ default: 8080, minimum: 0, maximum: 65_535 }),
  VERBOSE: Type.Boolean({ default: false }),
  TOKEN: secret('who may call'),
  NAME: Type.Optional(Type.String()),
  LEVEL: Type.Union([Type.Literal('info'), Type.Literal('warn')], { default: 'info' }),
});

describe('settings', () => {
  test('come from the environment, converted, with defaults, and nothing else', () => {
    const config = loadConfig(schema, { TOKEN: 'abcdefgh', VERBOSE: 'true', NAME: '', HOME: '/' });
    deepEqual([config.PORT, config.VERBOSE, config.NAME], [8080, true, undefined]);
    deepEqual(Object.keys(config).toSorted(), ['LEVEL', 'PORT', 'TOKEN', 'VERBOSE']);
  });

  test('are refused with all their problems at once', () => {
    throws(() => loadConfig(schema, { PORT: '70000' }), /TOKEN.*PORT|PORT.*TOKEN/);
  });

  test('that may be empty are, and others have their default', () => {
    const may = Type.Object({ SPACE: Type.String({ default: 'a', 'x-empty': true }) });
    const mayNot = Type.Object({ SPACE: Type.String({ default: 'a' }) });
    equal(loadConfig(may, { SPACE: '' }).SPACE, '');
    equal(loadConfig(may, {}).SPACE, 'a');
    equal(loadConfig(mayNot, { SPACE: '' }).SPACE, 'a');
  });

  test('that take one of some words name them, once', () => {
    throws(() => loadConfig(schema, { TOKEN: 'abcdefgh', LEVEL: 'loud' }), {
      message: 'Settings: LEVEL must be one of info, warn',
    });
  });

  test('never print a secret', () => {
    const { TOKEN } = loadConfig(schema, { TOKEN: 'abcdefgh' });
    equal(TOKEN.reveal(), 'abcdefgh');
    for (const printed of [String(TOKEN), JSON.stringify({ TOKEN }), inspect({ TOKEN })])
      equal(printed.includes('abcdefgh'), false, printed);
    equal(TOKEN instanceof Secret, true);
  });
});

describe('stopping', () => {
  const logger = createLogger({ service: 'spec', level: 'silent' });

  test('is the reverse of starting, happens once, and survives a part that fails', async () => {
    const stopped: string[] = [];
    const lifecycle = new Lifecycle(logger);
    const part = (name: string, fails = false) => ({
      name,
      stop: async () => {
        stopped.push(name);
        if (fails) throw new Error('cannot');
      },
    });
    lifecycle.add(part('first'));
    lifecycle.add(part('second', true));
    lifecycle.add(part('third'));
    await Promise.all([lifecycle.stop(), lifecycle.stop()]);
    deepEqual(stopped, ['third', 'second', 'first']);
  });

  test('does not wait for ever for a part that hangs', async () => {
    const lifecycle = new Lifecycle(logger);
    lifecycle.add({ name: 'hangs', stop: () => new Promise(() => {}) });
    await lifecycle.stop(1);
  });
});
