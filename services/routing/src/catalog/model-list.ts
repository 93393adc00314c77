import type { Model } from './catalog.ts';

/** The body of `GET /models`. */
export function modelListBody(models: readonly Model[]): Uint8Array {
  return Buffer.from(JSON.stringify({ data: models.map(publicModel) }));
}

function publicModel(model: Model): object {
  const pricing = model.endpoints[0]?.pricing;
  return {
    id: model.id,
    canonical_slug: model.id,
    name: model.name,
    created: model.created,
    description: model.description,
    context_length: model.contextLength ?? null,
    architecture: {
      modality: 'text->text',
      input_modalities: ['text'],
      output_modalities: ['text'],
      tokenizer: 'Other',
      instruct_type: null,
    },
    pricing,
    top_provider: {
      context_length: model.contextLength ?? null,
      max_completion_tokens: model.outputTokensMax ?? null,
      is_moderated: false,
    },
    per_request_limits: null,
    supported_parameters: [
      'max_tokens',
      'tools',
      'tool_choice',
      'parallel_tool_calls',
      ...(model.isReasoning ? [] : ['temperature', 'top_p']),
    ],
    supported_voices: null,
    default_parameters: null,
    ...(model.isReasoning ? { reasoning: { mandatory: true } } : {}),
    links: { details: `/models/${model.id}/endpoints` },
  };
}
