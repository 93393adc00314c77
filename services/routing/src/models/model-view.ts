import type { Model, ReasoningAbility } from '@sluice/catalog';
import { asRouter } from './router-rows.ts';
import { leadEndpoint, parametersOf } from './shown-endpoints.ts';

const settingNames = [
  'temperature',
  'top_p',
  'top_k',
  'frequency_penalty',
  'presence_penalty',
  'repetition_penalty',
] as const;

/** A model as the lists show it. */
export function modelView(model: Model): object {
  const lead = leadEndpoint(model);
  const { details, contextLength, outputTokensMax } = model;
  const { huggingFaceId, knowledgeCutoff, expirationDate } = details;
  return {
    id: model.id,
    object: 'model',
    owned_by: ownerOf(model),
    canonical_slug: model.canonicalSlug,
    ...(huggingFaceId !== undefined && { hugging_face_id: huggingFaceId }),
    name: model.name,
    created: model.created,
    description: model.description,
    context_length: contextLength ?? null,
    architecture: architectureView(model),
    pricing: lead?.pricing ?? asRouter(model)?.pricing,
    top_provider: {
      context_length: lead?.contextLength ?? contextLength ?? null,
      max_completion_tokens: lead?.outputTokensMax ?? outputTokensMax ?? null,
      is_moderated: lead?.isModerated ?? false,
    },
    per_request_limits: null,
    supported_parameters: [...(asRouter(model)?.parameters ?? parametersOf(model))],
    supported_voices: null,
    default_parameters: settingsView(model),
    ...reasoningView(model),
    ...(knowledgeCutoff !== undefined && { knowledge_cutoff: knowledgeCutoff }),
    ...(expirationDate !== undefined && { expiration_date: expirationDate }),
    ...benchmarksView(model),
    links: { details: `/models/${model.id}/endpoints` },
  };
}

/** Returns the author of the model: the first part of the slug. */
function ownerOf({ id }: Model): string {
  return id.slice(0, Math.max(0, id.indexOf('/')));
}

export function architectureView({ inputModalities, outputModalities, details }: Model): object {
  return {
    modality: `${inputModalities.join('+')}->${outputModalities.join('+')}`,
    input_modalities: inputModalities,
    output_modalities: outputModalities,
    tokenizer: details.tokenizer ?? 'Other',
    instruct_type: details.instructType ?? null,
  };
}

function settingsView({ details: { defaultParameters } }: Model): object | null {
  if (!defaultParameters) return null;
  return Object.fromEntries(settingNames.map((name) => [name, defaultParameters[name] ?? null]));
}

function reasoningView({ isReasoning, reasoning }: Model): object {
  if (reasoning) return { reasoning: abilityView(reasoning) };
  // Nothing is known of how it thinks, only that it does.
  return isReasoning ? { reasoning: { mandatory: true } } : {};
}

function abilityView(ability: ReasoningAbility): object {
  return {
    mandatory: ability.isMandatory,
    supported_efforts: ability.efforts ?? null,
    default_effort: ability.defaultEffort ?? null,
    default_enabled: ability.isDefaultOn,
    supports_max_tokens: ability.takesBudget,
  };
}

/** Returns the benchmarks for which the lists have a field. */
function benchmarksView({ details: { benchmarks } }: Model): object {
  if (!benchmarks) return {};
  const { artificial_analysis: analysis, design_arena: arenas } = benchmarks;
  if (analysis === undefined && arenas === undefined) return {};
  const shown = { artificial_analysis: analysis, design_arena: arenas };
  return { benchmarks: shown };
}
