import type { CommandContext } from '@sluice/protos/sluice/context/v1/context';
import type { Ids } from '@sluice/clock-and-ids';
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema, TUnsafe } from 'typebox';
import type { Caller } from '../../caller/caller.ts';
import type { App } from '../app-types.ts';
import { callerOf, commandContextOf } from '../caller.ts';

type NoFields = TUnsafe<object>;

/** A request of an account whose parameters match their schemas. */
interface Asked<Params extends TSchema, Query extends TSchema> {
  readonly request: FastifyRequest;
  readonly caller: Caller;
  readonly accountId: string;
  readonly params: Static<Params>;
  readonly query: Static<Query>;
}

interface Commanded<
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
> extends Asked<Params, Query> {
  readonly reply: FastifyReply;
  readonly context: CommandContext;
  readonly body: Static<Body>;
}

interface RouteFacts<Params extends TSchema, Query extends TSchema, Answer extends TSchema> {
  readonly operationId: string;
  readonly summary: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly answer: Answer;
  /** Replaces single settings of the routes. */
  readonly config?: Partial<FastifyContextConfig>;
}

interface Question<
  Params extends TSchema,
  Query extends TSchema,
  Answer extends TSchema,
> extends RouteFacts<Params, Query, Answer> {
  readonly handle: (asked: Asked<Params, Query>) => Promise<Static<Answer>>;
}

interface Command<
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Answer extends TSchema,
> extends RouteFacts<Params, Query, Answer> {
  readonly body?: Body;
  readonly headers?: TSchema;
  /** The status of success. 200 when absent. */
  readonly status?: 200 | 201 | 202 | 204;
  readonly handle: (commanded: Commanded<Params, Query, Body>) => Promise<Static<Answer>>;
}

/** Registers routes that serve the account of their caller and share the settings of `shared`. */
export class AccountRoutes {
  readonly #app: App;
  readonly #ids: Ids;
  readonly #shared: FastifyContextConfig;

  constructor(app: App, ids: Ids, shared: FastifyContextConfig) {
    this.#app = app;
    this.#ids = ids;
    this.#shared = shared;
  }

  /** Registers a GET: it changes nothing. */
  get<Answer extends TSchema, Params extends TSchema = NoFields, Query extends TSchema = NoFields>(
    url: string,
    { handle, ...facts }: Question<Params, Query, Answer>,
  ): void {
    this.#app.route({
      method: 'GET',
      url,
      config: { ...this.#shared, ...facts.config },
      schema: schemaOf(facts),
      handler: (request) => handle(askedOf(request)),
    });
  }

  /** Registers a method whose requests are commands. A POST without a body has `body: 'none'` in its `config`. */
  change<
    Answer extends TSchema,
    Params extends TSchema = NoFields,
    Query extends TSchema = NoFields,
    Body extends TSchema = NoFields,
  >(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    { handle, ...facts }: Command<Params, Query, Body, Answer>,
  ): void {
    this.#app.route({
      method,
      url,
      config: { ...this.#shared, ...facts.config },
      schema: schemaOf(facts),
      handler: async (request, reply) => {
        const asked = askedOf<Params, Query>(request);
        const context = commandContextOf(request, this.#ids);
        const body = request.body as Static<Body>;
        const answer = await handle({ ...asked, reply, context, body });
        return reply.code(facts.status ?? 200).send(answer);
      },
    });
  }
}

function askedOf<Params extends TSchema, Query extends TSchema>(
  request: FastifyRequest,
): Asked<Params, Query> {
  const caller = callerOf(request);
  // The schemas of the route have checked both.
  const params = request.params as Static<Params>;
  const query = request.query as Static<Query>;
  return { request, caller, accountId: caller.accountId, params, query };
}

function schemaOf({
  operationId,
  summary,
  params,
  query,
  body,
  headers,
  answer,
  status = 200,
}: Omit<Command<TSchema, TSchema, TSchema, TSchema>, 'handle'>) {
  return {
    operationId,
    summary,
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && { body }),
    ...(headers && { headers }),
    response: { [status]: answer },
  };
}
