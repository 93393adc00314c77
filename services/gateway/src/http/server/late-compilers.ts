import { createRequire } from 'node:module';
import type { BuildCompilerFromPool } from '@fastify/ajv-compiler';
import type { SerializerFactory } from '@fastify/fast-json-stringify-compiler';
import type { FastifySchemaCompiler } from 'fastify';

const load = createRequire(import.meta.url);

/**
 * Compiles the schemas of a route at its first request. A process never serves most of its routes, and their compiled
 * schemas take memory. The first compilation takes tens of milliseconds. A test compiles all schemas.
 */
export const lateCompilers = { buildValidator, buildSerializer };

/** The options of the validator. */
export const validation = {
  removeAdditional: false,
  coerceTypes: false as const,
  allErrors: true,
  // A finding carries its schema, because the `mustBe` of the schema is the message to the client.
  verbose: true,
  keywords: ['mustBe', 'ruleField'],
};

type Validators = ReturnType<BuildCompilerFromPool>;

function buildValidator(...given: Parameters<BuildCompilerFromPool>): Validators {
  const compile = once(() => {
    const build = load('@fastify/ajv-compiler') as () => BuildCompilerFromPool;
    return build()(...given) as FastifySchemaCompiler<unknown>;
  });
  const late: FastifySchemaCompiler<unknown> = (route) => {
    const check = once(() => compile()(route));
    return (data: unknown) => {
      const compiled = check();
      return compiled(data) === true || { error: compiled.errors ?? [] };
    };
  };
  return late as Validators;
}

function buildSerializer(...given: Parameters<SerializerFactory>): ReturnType<SerializerFactory> {
  const compile = once(() => {
    const build = load('@fastify/fast-json-stringify-compiler') as () => SerializerFactory;
    return build()(...given);
  });
  return (route) => {
    const write = once(() => compile()(route));
    return (data: unknown) => write()(data);
  };
}

/** Makes the value when it is first asked for. What throws is tried again. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
