import type { Catalog, Model } from '@sluice/catalog';
import type { SearchModelsSettings } from '@sluice/client-schemas';
import { type Static, Type } from 'typebox';
import type { ServerTool } from '../tool.ts';

const words = Type.Array(Type.String());
const parameters = Type.Object({
  query: Type.Optional(
    Type.String({ description: 'Words of the name or the description.', default: '' }),
  ),
  input_modalities: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Each of text, image, file, audio, video.',
      default: [],
    }),
  ),
  output_modalities: Type.Optional({ ...words, default: [] }),
  min_context_length: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Tokens of the context.', default: 0 }),
  ),
  series: Type.Optional(
    Type.String({ description: 'A family of models, such as GPT.', default: '' }),
  ),
});
type Arguments = Static<typeof parameters>;

const resultsUsual = 5;
const descriptionCharactersMax = 500;

/** Finds models of the catalog for the model that asks. */
export function searchModelsTool({
  catalog,
}: {
  readonly catalog: Pick<Catalog, 'listed'>;
}): ServerTool {
  return {
    type: 'service:experimental__search_models',
    aliases: ['service:search_models'],
    asFunction: () => ({
      description: 'Finds language models by words, modalities, context length and family.',
      parameters,
    }),
    worstCost: () => 0n,
    async run(args, { settings }) {
      const asked: Arguments = args;
      const { max_results: max } = settings as SearchModelsSettings;
      const found = searchModels(catalog.listed, asked);
      const shown = found.slice(0, max ?? resultsUsual).map(viewOf);
      const result = { models: shown, total_results: found.length, showing: shown.length };
      return {
        output: JSON.stringify(result),
        item: { query: asked.query ?? '', arguments: JSON.stringify(args) },
      };
    },
    // The item has no results.
    replay: () => undefined,
  };
}

/** Returns the models that fit, those with the words in their names first. */
function searchModels(models: readonly Model[], asked: Arguments): readonly Model[] {
  const { query = '', series = '', min_context_length: contextMin = 0 } = asked;
  const sought = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const fitting = models.filter(
    (model) =>
      (model.contextLength ?? 0) >= contextMin &&
      hasAll(model.inputModalities, asked.input_modalities) &&
      hasAll(model.outputModalities, asked.output_modalities) &&
      (series === '' || seriesOf(model).toLowerCase() === series.toLowerCase()) &&
      hasAllWords(`${model.id} ${model.name} ${model.description}`, sought),
  );
  const isNamed = (model: Model) => hasAllWords(`${model.id} ${model.name}`, sought);
  return fitting.toSorted((one, other) => Number(isNamed(other)) - Number(isNamed(one)));
}

function hasAll(has: readonly string[], asked: readonly string[] = []): boolean {
  return asked.every((one) => has.includes(one));
}

function hasAllWords(text: string, sought: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return sought.every((word) => lower.includes(word));
}

function seriesOf({ details }: Model): string {
  return details.tokenizer ?? 'Other';
}

function viewOf(model: Model): object {
  return {
    id: model.id,
    name: model.name,
    description: model.description.slice(0, descriptionCharactersMax).toWellFormed(),
    context_length: model.contextLength ?? null,
    input_modalities: model.inputModalities,
    output_modalities: model.outputModalities,
    series: seriesOf(model),
  };
}
