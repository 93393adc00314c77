import type { InputModality, Model, OutputModality } from '@sluice/catalog';
import { parametersOf } from './shown-endpoints.ts';

/** Unix seconds: clients take 0 for a broken row. Before most models, so that routers are not the newest of them. */
const routersCreated = 1_700_000_000;

/** A router as the lists of models show it. No endpoint is its own. */
export interface RouterRow extends Model {
  /** All that at least one of its models takes. */
  readonly parameters: ReadonlySet<string>;
  /** `-1` where the price is that of the chosen model. */
  readonly pricing: { readonly prompt: string; readonly completion: string };
}

/** The facts of a router that do not depend on the catalog. */
export interface RouterFacts {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly isFree?: true;
}

/** The routers that are listed. */
export const listedRouters: readonly RouterFacts[] = [
  {
    slug: 'service/auto',
    name: 'Auto router',
    description: 'A model that suits the task of the request. It costs what the model costs.',
  },
  {
    slug: 'service/auto-beta',
    name: 'Auto router, beta',
    description: 'The auto router with settings of its own. It costs what the model costs.',
  },
  {
    slug: 'service/bodybuilder',
    name: 'Body builder',
    description:
      'A model that writes bodies of requests for several models. It costs what it costs.',
  },
  {
    slug: 'service/free',
    name: 'Any free model',
    description: 'A listed model that costs nothing and can do what the request asks for.',
    isFree: true,
  },
  {
    slug: 'service/fusion',
    name: 'Fusion',
    description: 'A model that may ask a panel of models. It costs what all of them cost.',
  },
  {
    slug: 'service/jev-router',
    name: 'Judged router',
    description: 'A model and its effort, which a judge chooses. It costs what both cost.',
  },
  {
    slug: 'service/pareto-code',
    name: 'Pareto router for code',
    description: 'The cheapest model of a tier of coding scores. It costs what the model costs.',
  },
  {
    slug: 'service/switchyard',
    name: 'Switchyard',
    description:
      'An efficient or a capable model, with or without a judge. It costs what both cost.',
  },
];

const varies = { prompt: '-1', completion: '-1' };
const nothing = { prompt: '0', completion: '0' };

/** Returns the rows of routers that choose among these models. They can do what one of the models can. */
export function routerRows(
  routers: readonly RouterFacts[],
  listed: readonly Model[],
): readonly RouterRow[] {
  const models = listed.filter(({ outputModalities }) => outputModalities.includes('text'));
  const inputs = new Set<InputModality>(models.flatMap((model) => model.inputModalities));
  const outputs: readonly OutputModality[] = ['text'];
  const windows = models.flatMap(({ contextLength }) => contextLength ?? []);
  const answers = models.flatMap(({ outputTokensMax }) => outputTokensMax ?? []);
  const parameters = new Set(models.flatMap((model) => [...parametersOf(model)]));
  return routers.map(({ slug, name, description, isFree }) => ({
    id: slug,
    canonicalSlug: slug,
    name,
    description,
    created: routersCreated,
    contextLength: windows.length > 0 ? Math.max(...windows) : undefined,
    outputTokensMax: answers.length > 0 ? Math.max(...answers) : undefined,
    isReasoning: false,
    reasoning: undefined,
    isHidden: false,
    inputModalities: [...inputs],
    outputModalities: outputs,
    details: { tokenizer: 'Router' },
    aliases: [],
    endpoints: [],
    parameters,
    pricing: isFree ? nothing : varies,
  }));
}

/** Returns the row of a router; undefined: it is the row of a model. */
export function asRouter(model: Model | RouterRow): RouterRow | undefined {
  return 'parameters' in model ? model : undefined;
}
