import { catalog as errorCatalog, Fault, isRejection, type Rejection } from '@sluice/errors';
import type { CatalogQuestion, InferenceReply, Principal } from '@sluice/inference-port';
import { errorReply } from '@sluice/client-errors';
import type { Catalog, Model } from '@sluice/catalog';
import { isCallable } from '../selection/find-candidates.ts';
import type { Credentials } from '../credentials/credentials.ts';
import { demandsOf } from '../policy/demands-of.ts';
import type { OwnModels } from './own-models.ts';
import type { Policies } from '../policy/policies.ts';
import { anthropicModel, anthropicPage, cursorLimitDefault } from './anthropic-view.ts';
import { answerOf, KeptAnswers, ModelTexts } from './answers.ts';
import { pageOf } from './list-page.ts';
import { endpointsView, endpointView } from './endpoint-view.ts';
import { satisfies } from './filter-models.ts';
import { readSlug } from '../request/slug.ts';
import { findShown, type Shown } from './find-shown.ts';
import { type Rows, rowsOf } from './listed-rows.ts';
import { type ModelFilters, parseModelFilters, parsePage } from './model-filters.ts';
import { modelView } from './model-view.ts';
import { type ListedProvider, providersOf, providerView } from './provider-view.ts';
import { aliasesOf, aliasOf } from './alias-rows.ts';
import type { RouterFacts } from './router-rows.ts';
import { rssView } from './rss-view.ts';
import { shownEndpoints } from './shown-endpoints.ts';
import { dependsOnMore, sortModels } from './sort-models.ts';
import type { StatisticsOf } from './statistics.ts';
import { usableModels } from './usable-models.ts';

export interface ListingDeps {
  /** The catalog. Its `listed` becomes another array with each change. */
  readonly catalog: Pick<Catalog, 'find' | 'listed'>;
  readonly policies: Pick<Policies, 'find'>;
  readonly credentials: Pick<Credentials, 'find'>;
  /** Returns models with the private endpoints of the caller. Absent: nobody has any. */
  readonly ownModels?: OwnModels;
  readonly now: () => Date;
  /** Nothing was measured, when absent. */
  readonly statistics?: StatisticsOf;
  /** If absent, the list has the providers that have endpoints. */
  readonly providers?: () => readonly ListedProvider[];
  /** The routers that the lists of models end with. Absent: none. */
  readonly routers?: readonly RouterFacts[];
}

type Parameters = CatalogQuestion['parameters'];

/** Answers what is asked of the catalog. */
export interface Listing {
  /** Never throws for an error of the question: that is a reply in the public envelope. */
  read(question: CatalogQuestion): Promise<InferenceReply>;
}

export function createListing(deps: ListingDeps): Listing {
  const lists = new Lists(deps);
  return {
    async read(question) {
      try {
        return await lists.read(question);
      } catch (error) {
        return errorReply(error, {}, question.format);
      }
    },
  };
}

const millisecondsPerSecond = 1_000;
const rssType = 'application/rss+xml';
/** Values that ask for nothing. */
const no: ReadonlySet<string | undefined> = new Set([undefined, '', '0', 'false']);

class Lists {
  readonly #deps: ListingDeps;
  readonly #statistics: StatisticsOf;
  readonly #own: OwnModels;
  readonly #texts = new ModelTexts();
  readonly #kept = new KeptAnswers();
  readonly #rows: () => Rows;

  constructor(deps: ListingDeps) {
    this.#deps = deps;
    this.#rows = rowsOf(deps.catalog, deps.routers ?? []);
    this.#statistics = deps.statistics ?? (() => undefined);
    this.#own = deps.ownModels ?? ((models) => Promise.resolve(models));
  }

  async read(question: CatalogQuestion): Promise<InferenceReply> {
    if (question.format === 'anthropic') return this.#readAnthropic(question);
    const { view, parameters, reportsMeasured, principal } = question;
    switch (view) {
      case 'models':
        return this.#withAliases(principal, parameters);
      case 'usable-models':
      case 'user-models': {
        const usable = await this.#usable(principal);
        const routers = usable.length > 0 ? this.#rows().routers : [];
        const aliases = await aliasesOf(this.#deps, principal, usable);
        return this.#chosen([...usable, ...routers, ...aliases], parameters, paths[view]);
      }
      case 'models-count':
        return this.#count(parameters);
      case 'model':
        return this.#model(parameters, principal);
      case 'retrieved-model':
        return this.#retrieved(parameters, principal);
      case 'callable-model':
        return this.#callable(parameters);
      case 'endpoints':
        return this.#endpoints(question);
      case 'embedding-models':
        return this.#embeddings(parameters);
      case 'zero-retention-endpoints':
        return this.#zeroRetention(reportsMeasured);
      case 'providers':
        return this.#providers();
    }
  }

  /** The views that Anthropic's clients have: the list, and one model of it. */
  async #readAnthropic({ view, parameters, principal }: CatalogQuestion): Promise<InferenceReply> {
    switch (view) {
      case 'models':
        return this.#anthropicPage(this.#rows().models, parameters);
      case 'usable-models':
        return this.#anthropicPage(await this.#usable(principal), parameters);
      case 'retrieved-model': {
        const shown = findShown(this.#deps.catalog, nameOf(parameters));
        if (!shown) return errorReply(unknownModel, {}, 'anthropic');
        const { model, alias = model.id } = shown;
        return answerOf(JSON.stringify({ ...anthropicModel(model), id: alias }));
      }
      default:
        return errorReply(unknownModel, {}, 'anthropic');
    }
  }

  #anthropicPage(models: readonly Model[], parameters: Parameters): InferenceReply {
    const filters = parseModelFilters(parameters);
    if (isRejection(filters)) return errorReply(filters, {}, 'anthropic');
    const chosen = this.#choose(models, { sort: 'newest', ...filters });
    const page = anthropicPage(chosen, {
      limit: filters.page?.limit ?? cursorLimitDefault,
      afterId: parameters['after_id'],
      beforeId: parameters['before_id'],
    });
    return isRejection(page) ? errorReply(page, {}, 'anthropic') : answerOf(JSON.stringify(page));
  }

  /** Lists the models, and for a key the aliases of its workspace. */
  async #withAliases(
    principal: Principal | undefined,
    parameters: Parameters,
  ): Promise<InferenceReply> {
    const { all, models } = this.#rows();
    const aliases = await aliasesOf(this.#deps, principal, models);
    if (aliases.length === 0) return this.#models(all, parameters);
    return this.#chosen([...all, ...aliases], parameters);
  }

  async #alias(parameters: Parameters, principal: Principal | undefined) {
    const row = await aliasOf(this.#deps, principal, { name: nameOf(parameters), ...this.#rows() });
    return row && modelView(row);
  }

  #models(models: readonly Model[], parameters: Parameters): InferenceReply {
    if (dependsOnMore(parameters)) return this.#chosen(models, parameters);
    const sorted = Object.entries(parameters).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return this.#kept.find(models, `models?${JSON.stringify(sorted)}`, () =>
      this.#chosen(models, parameters),
    );
  }

  #chosen(
    models: readonly Model[],
    parameters: Parameters,
    path: string = paths.models,
  ): InferenceReply {
    const filters = parseModelFilters(parameters);
    if (isRejection(filters)) return errorReply(filters);
    const chosen = this.#choose(models, filters);
    const page = pageOf(chosen, filters.page, { path, parameters });
    const isFeed = !no.has(parameters['use_rss']) || !no.has(parameters['use_rss_chat_links']);
    return isFeed ? answerOf(rssView(page.models), rssType) : answerOf(this.#texts.list(page));
  }

  /** All of them, not only a page. */
  #choose(models: readonly Model[], filters: ModelFilters): readonly Model[] {
    const nowSeconds = this.#deps.now().getTime() / millisecondsPerSecond;
    const left = models.filter((model) => satisfies(model, filters, nowSeconds));
    return filters.sort ? sortModels(left, filters.sort, this.#statistics) : left;
  }

  async #usable(principal: Principal | undefined): Promise<readonly Model[]> {
    if (!principal) throw new Fault('authentication_missing');
    const [policy, credentials] = await Promise.all([
      this.#deps.policies.find(principal),
      this.#deps.credentials.find(principal),
    ]);
    if (!policy.isWorkspaceAlive) throw new Fault('workspace_unavailable');
    const guardrails = demandsOf(policy);
    // A private endpoint is called with a credential of the account.
    const owner = credentials.length > 0 ? principal : undefined;
    const models = await this.#own(this.#rows().models, owner);
    return usableModels(models, { guardrails, credentials, principal });
  }

  #count(parameters: Parameters): InferenceReply {
    const filters = parseModelFilters(parameters);
    if (isRejection(filters)) return errorReply(filters);
    const { length: count } = this.#choose(this.#rows().all, filters);
    return answerOf(JSON.stringify({ data: { count } }));
  }

  async #model(parameters: Parameters, principal: Principal | undefined): Promise<InferenceReply> {
    const found = this.#find(parameters) ?? (await this.#alias(parameters, principal));
    return found ? answerOf(JSON.stringify({ data: found })) : errorReply(unknownModel);
  }

  /** Returns the model itself, without an envelope, because OpenAI's clients read it so. */
  async #retrieved(
    parameters: Parameters,
    principal: Principal | undefined,
  ): Promise<InferenceReply> {
    const found = this.#find(parameters) ?? (await this.#alias(parameters, principal));
    return found ? answerOf(JSON.stringify(found)) : errorReply(unknownModel);
  }

  #callable(parameters: Parameters): InferenceReply {
    const name = nameOf(parameters);
    if (!isCallable(name, this.#deps.catalog)) return errorReply(unknownModel);
    return answerOf(JSON.stringify({ data: { id: name } }));
  }

  #find(parameters: Parameters): object | undefined {
    const shown = this.#shownAs(nameOf(parameters));
    if (!shown) return undefined;
    const { model, alias } = shown;
    const view = modelView(model);
    if (alias === undefined) return view;
    return { ...view, id: alias, alias_target: { slug: model.id, name: model.name } };
  }

  /** Returns a model or a router by its name. */
  #shownAs(name: string): Shown | undefined {
    const { id } = readSlug(name);
    const router = this.#rows().routers.find((row) => row.id === id);
    return router ? { model: router } : findShown(this.#deps.catalog, name);
  }

  async #endpoints({ parameters, reportsMeasured: isAuthenticated, principal }: CatalogQuestion) {
    const shown = this.#shownAs(nameOf(parameters));
    if (!shown) return errorReply(unknownModel);
    const options = { statistics: this.#statistics, isAuthenticated };
    const [model = shown.model] = await this.#own([shown.model], principal);
    return answerOf(JSON.stringify({ data: endpointsView(model, options) }));
  }

  #embeddings(parameters: Parameters): InferenceReply {
    const page = parsePage(parameters);
    if (isRejection(page)) return errorReply(page);
    const found = this.#rows().models.filter((model) =>
      model.outputModalities.includes('embeddings'),
    );
    const path = paths['embedding-models'];
    return answerOf(this.#texts.list(pageOf(found, page, { path, parameters })));
  }

  #zeroRetention(isAuthenticated: boolean): InferenceReply {
    const options = { statistics: this.#statistics, isAuthenticated };
    const data = this.#rows().models.flatMap((model) =>
      shownEndpoints(model)
        .filter(({ dataPolicy }) => !dataPolicy.retains)
        .map((endpoint) => endpointView(model, endpoint, options)),
    );
    return answerOf(JSON.stringify({ data }));
  }

  #providers(): InferenceReply {
    const providers = this.#deps.providers?.() ?? providersOf(this.#rows().models);
    return answerOf(JSON.stringify({ data: providers.map(providerView) }));
  }
}

const unknownModel: Rejection = {
  rejected: 'not_found',
  message: errorCatalog.not_found.message,
};

function nameOf({ model, author, slug }: Parameters): string {
  return model ?? `${author ?? ''}/${slug ?? ''}`;
}

/** Paths of the lists of models, under the base URL. */
const paths = {
  models: '/models',
  'usable-models': '/models',
  'user-models': '/models/user',
  'embedding-models': '/embeddings/models',
} as const;
