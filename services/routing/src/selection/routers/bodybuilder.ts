import type { Model } from '@sluice/catalog';
import type { InferenceRequest } from '@sluice/inference';
import { availability } from '../availability.ts';
import type { Candidate } from '../candidate.ts';
import { inBand } from './auto/cost-band.ts';
import { placesFor } from './auto/rankings.ts';
import { lastHumanText } from './judge.ts';
import { intelligenceOf, pricedModels, shownPrice } from './priced-models.ts';
import type { Narrowed, RoutedCall, Router, RouterKnowledge } from './router.ts';

const requestsMax = 16;
const offeredMax = 60;
const chosenMax = 3;
const listedMax = 20;
/** Writing a body needs no dear model. */
const percentileMax = 60;

/** Stands for a model that writes request bodies for several models from a description in words. */
export const bodybuilder: Router = {
  slug: 'service/bodybuilder',
  strategy: 'bodybuilder',
  prepare({ inference }, known): InferenceRequest {
    const models = offered(inference, known);
    const content = [{ type: 'text', text: instructionsFor(models) }] as const;
    const format = { type: 'json-schema', name: 'requests', description: undefined } as const;
    return {
      ...inference,
      items: [{ type: 'message', role: 'system', content }, ...inference.items],
      options: {
        ...inference.options,
        format: { ...format, schema: schemaFor(models), strict: true },
      },
    };
  },
  expand(call, { catalog }) {
    const places = placesFor('code', catalog.listed);
    if (places.size === 0) return noModel(call);
    return { models: [...places.keys()], narrow: (able) => narrowed(able, places) };
  },
};

/** Returns the models that bodies may name: those that the description names first, and then the ranked ones. */
function offered({ items }: InferenceRequest, { catalog, permits }: RouterKnowledge) {
  const words = lastHumanText(items).toLowerCase();
  const places = placesFor('facts', catalog.listed);
  const isNamed = ({ id }: Model) => words.includes((id.split('/')[1] ?? id).toLowerCase());
  return catalog.listed
    .filter(({ outputModalities }) => outputModalities.includes('text'))
    .filter((model) => model.endpoints.some((endpoint) => permits(model, endpoint)))
    .map((model) => ({
      id: model.id,
      isNamed: Number(isNamed(model)),
      place: places.get(model.id) ?? places.size,
    }))
    .toSorted((one, other) => other.isNamed - one.isNamed || one.place - other.place)
    .slice(0, offeredMax)
    .map(({ id }) => id);
}

function instructionsFor(models: readonly string[]): string {
  return `Write the bodies of requests to models from the description of the user. Answer with JSON alone: \
{"requests": [{"model": …, "messages": [{"role": …, "content": …}]}]}. Write one body for each model that the user \
names, ${String(requestsMax)} at most, or choose fitting models. Do not do the task yourself. These models exist: \
${models.join(', ')}.`;
}

function schemaFor(models: readonly string[]): Readonly<Record<string, unknown>> {
  const closed = (properties: Readonly<Record<string, object>>) => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  });
  const message = closed({
    role: { type: 'string', enum: ['system', 'user', 'assistant'] },
    content: { type: 'string' },
  });
  const request = closed({
    model: { type: 'string', enum: models },
    messages: { type: 'array', items: message },
  });
  return closed({ requests: { type: 'array', items: request } });
}

function narrowed(able: readonly Candidate[], places: ReadonlyMap<string, number>): Narrowed {
  const models = pricedModels(able);
  const placeOf = ({ id }: { readonly id: string }) => places.get(id) ?? places.size;
  const ranked = inBand(models, { from: 0, to: percentileMax }).toSorted(
    (one, other) =>
      placeOf(one) - placeOf(other) ||
      intelligenceOf(other) - intelligenceOf(one) ||
      one.price - other.price,
  );
  const chosen = ranked.slice(0, chosenMax);
  const [first, ...others] = chosen.flatMap(({ candidates }) => candidates);
  if (!first) throw new Error('invariant: a band of models that can serve has one');
  return {
    candidates: [first, ...others],
    report: {
      type: 'plugin',
      name: 'bodybuilder',
      summary: `chose ${first.model.id} to write the bodies of requests`,
      data: {
        chosen: chosen.map(({ id }) => id),
        candidates: ranked.slice(0, listedMax).map((one) => ({
          model: one.id,
          place: placeOf(one) + 1,
          price: shownPrice(one),
        })),
        excluded: {
          cannot_serve: places.size - models.length,
          other_costs: models.length - ranked.length,
        },
      },
    },
  };
}

function noModel({ preferences: { models } }: RoutedCall) {
  return {
    rejected: 'not_found' as const,
    message: 'no models match your request and model restrictions',
    metadata: { availability: availability('no_endpoints', models) },
  };
}
