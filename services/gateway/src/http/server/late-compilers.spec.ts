import { equal, notEqual, ok, throws } from 'node:assert/strict';
import buildValidators from '@fastify/ajv-compiler';
import buildSerializers from '@fastify/fast-json-stringify-compiler';
import fastify, { type FastifySchema, type FastifySchemaCompiler } from 'fastify';
import { describe, test } from 'vitest';
import { buildApp } from '../../app.ts';
import { gatewayWorld } from '../../testing/gateway-world.ts';
import { lateCompilers, validation } from './late-compilers.ts';

// The types of the package say otherwise.
const validators = buildValidators()(
  {},
  { customOptions: validation },
) as FastifySchemaCompiler<unknown>;
const serializers = buildSerializers()({});

function validator(schema: unknown): unknown {
  return validators({ method: 'GET', url: '/', schema });
}

function serializer(schema: unknown): (data: unknown) => string {
  return serializers({ method: 'GET', url: '/', httpStatus: '200', schema });
}

interface Reply {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

/** Returns each schema of a route. */
function schemasOf({ body, querystring, params, headers, response }: FastifySchema) {
  const takes = [body, querystring, params, headers].filter((schema) => schema !== undefined);
  const answers = Object.values((response ?? {}) as Readonly<Record<string, Reply>>).flatMap(
    (reply) => Object.values(reply.content ?? { any: { schema: reply } }),
  );
  return { takes: takes as object[], answers: answers.map(({ schema }) => schema) };
}

describe('schemas that are compiled late', () => {
  test('can all be compiled: no first request finds one that cannot', async () => {
    const { dependencies } = await gatewayWorld();
    const { app } = buildApp(dependencies);
    const schemas: FastifySchema[] = [];
    app.addHook('onRoute', ({ schema }) => {
      if (schema) schemas.push(schema);
    });
    await app.ready();
    const all = schemas.map(schemasOf);
    for (const schema of all.flatMap(({ takes }) => takes)) ok(validator(schema));
    for (const schema of all.flatMap(({ answers }) => answers)) ok(serializer(schema));
    notEqual(all.length, 0);
    throws(() => validator({ type: 'no type' }));
    throws(() => serializer({ type: 'no type' }));
  });

  test('refuse and write as those that fastify compiles at once', async () => {
    const answers = await Promise.all(
      [{}, { schemaController: { compilersFactory: lateCompilers } }].map(async (options) => {
        const app = fastify({ ...options, ajv: { customOptions: { allErrors: true } } });
        const members = { name: { type: 'string', default: 'a' }, size: { type: 'integer' } };
        const body = { type: 'object', required: ['size'], properties: members };
        const response = { 200: { type: 'object', properties: members } };
        app.setErrorHandler((error) => ({ name: JSON.stringify(error) }));
        app.post('/', { schema: { body, response } }, (request) => ({
          ...(request.body as object),
          hidden: true,
        }));
        const send = async (payload: object) =>
          (await app.inject({ method: 'POST', url: '/', payload })).body;
        return [await send({ size: 1 }), await send({ size: 'x', name: {} }), await send({})];
      }),
    );
    equal(answers.length, 2);
    equal(JSON.stringify(answers[1]), JSON.stringify(answers[0]));
    equal(answers[1]?.[0], '{"name":"a","size":1}');
    ok(answers[1]?.[1]?.includes('must be'));
  });
});
