import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { apiCommands } from './derive.ts';
import type { DescribedOperation, Schema } from './description.ts';

const text = (description: string, example: string): Schema => ({
  type: 'string',
  description,
  examples: [example],
});

interface Asked {
  readonly path?: string;
  readonly method?: string;
  readonly operation?: Partial<DescribedOperation>;
  readonly body?: Schema;
  readonly schemas?: Readonly<Record<string, Schema>>;
}

/** The command of a route that is new. */
function commandOf({ path = '/v1/hooks', method = 'post', operation = {}, ...rest }: Asked) {
  const { body, schemas = {} } = rest;
  const described: DescribedOperation = {
    operationId: 'createHook',
    summary: 'Create a hook',
    tags: ['Hooks'],
    security: [{ managementKey: [] }],
    responses: {},
    ...(body && { requestBody: { content: { 'application/json': { schema: body } } } }),
    ...operation,
  };
  const [command] = apiCommands({
    paths: { [path]: { [method]: described } },
    components: { schemas },
  });
  ok(command);
  return command;
}

const optionOf = (schema: Schema, operation: Partial<DescribedOperation> = {}) => {
  const body = { type: 'object', properties: { the_field: schema } };
  const [option] = commandOf({ body, operation }).options;
  ok(option);
  return option;
};

describe('a new route', () => {
  test('has a command by its path and its operationId, with a flag for each field', () => {
    const body = {
      type: 'object',
      required: ['target_url'],
      properties: { target_url: text('Where it sends.', 'https://example.com') },
    };
    deepEqual(commandOf({ body, path: '/v1/work_items/{id}/hooks' }), {
      operationId: 'createHook',
      method: 'POST',
      path: '/v1/work_items/{id}/hooks',
      words: 'work-items hooks create',
      summary: 'Create a hook',
      arguments: [{ name: 'id', does: '', example: '' }],
      options: [
        {
          flag: '--target-url',
          field: 'target_url',
          in: 'body',
          kind: 'text',
          does: 'Where it sends.',
          example: 'https://example.com',
          required: true,
        },
      ],
      hasBody: true,
    });
  });

  test('takes its parameters in the query, and those that follow each other as one argument', () => {
    const parameter = (name: string, place: string) => ({
      name,
      in: place,
      description: `The ${name}.`,
      example: name,
      schema: { type: 'string' },
    });
    const parameters = [
      parameter('author', 'path'),
      parameter('slug', 'path'),
      parameter('since', 'query'),
      parameter('Idempotency-Key', 'header'),
    ];
    const { words, ...command } = commandOf({
      path: '/v1/hooks/{author}/{slug}/calls',
      method: 'get',
      operation: { operationId: 'listHookCalls', parameters },
    });
    equal(words, 'hooks calls list');
    deepEqual(command.arguments, [
      { name: 'author/slug', does: 'The author. The slug.', example: 'author/slug' },
    ]);
    deepEqual(
      command.options.map(({ flag, in: place }) => [flag, place]),
      [['--since', 'query']],
    );
  });

  test('is its verb alone where the path ends with it', () => {
    const operation = { operationId: 'pauseHook' };
    equal(commandOf({ path: '/v1/hooks/{id}/pause', operation }).words, 'hooks pause');
  });

  test('presents the API key where only that opens it', () => {
    equal(commandOf({ operation: { security: [{ apiKey: [] }] } }).key, 'api');
    const either = { security: [{ apiKey: [] }, { managementKey: [] }] };
    equal(commandOf({ operation: either }).key, undefined);
  });

  test('takes one list of texts as arguments', () => {
    const body = {
      type: 'object',
      required: ['key_hashes'],
      properties: {
        key_hashes: { type: 'array', items: { type: 'string' }, examples: [['f01d']] },
      },
    };
    const { rest, options } = commandOf({ body });
    deepEqual(
      [rest, options],
      [{ name: 'key-hash', field: 'key_hashes', does: '', example: 'f01d' }, []],
    );
  });
});

describe('a field', () => {
  test.each<readonly [string, Schema, string]>([
    ['a text', { type: 'string' }, 'text'],
    ['a text or more', { anyOf: [{ type: 'string' }, { type: 'array' }] }, 'text'],
    ['words', { enum: ['a', 'b'] }, 'text'],
    ['a number', { type: 'integer' }, 'number'],
    ['a truth value', { type: 'boolean' }, 'boolean'],
    ['a list', { type: 'array', items: { type: 'string' } }, 'list'],
    ['a list of objects', { type: 'array', items: { type: 'object' } }, 'json'],
    ['an object', { type: 'object' }, 'json'],
    ['a reference', { $ref: '#/components/schemas/Unknown', type: 'number' }, 'number'],
    ['a secret', { type: 'string', writeOnly: true }, 'secret'],
    [
      'an object with a secret in it',
      { type: 'object', properties: { a: { type: 'string', writeOnly: true } } },
      'secrets',
    ],
  ])('that is %s is read as such', (_what, schema, kind) => equal(optionOf(schema).kind, kind));

  test('that holds a secret has a flag for a file', () =>
    equal(optionOf({ type: 'string', writeOnly: true }).flag, '--the-field-file'));

  test('that may be null takes none, but for inference, where none is a text', () => {
    const schema = {
      anyOf: [{ type: 'string' }, { type: 'null' }],
      description: 'One; null: all.',
    };
    const { nullable, does } = optionOf(schema);
    deepEqual([nullable, does], [true, 'One; none: all.']);
    equal(optionOf(schema, { security: [{ apiKey: [] }] }).nullable, undefined);
  });

  test('says which words it takes', () => {
    const schema = { type: 'string', enum: ['daily', 'weekly'] };
    equal(
      optionOf({ ...schema, description: 'How often.' }).does,
      'How often. One of daily, weekly.',
    );
    equal(optionOf({ ...schema, description: 'daily or weekly' }).does, 'daily or weekly');
  });
});
