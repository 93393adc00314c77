import { describe, expect, test } from 'vitest';
import { accepted, refused, type Body } from '../testing/request-body.ts';

describe('an option', () => {
  test.each<[Body, object]>([
    [{ top_k: 0 }, { topK: 0 }],
    [
      { frequency_penalty: 0.1, presence_penalty: -2 },
      { frequencyPenalty: 0.1, presencePenalty: -2 },
    ],
    [{ top_logprobs: 20 }, { topLogprobs: 20 }],
    [
      { reasoning: { effort: 'xhigh', summary: 'auto' } },
      { reasoning: { effort: 'xhigh', summary: 'auto' } },
    ],
    [
      { reasoning: { max_tokens: 0, enabled: false } },
      { reasoning: { tokensMax: 0, isEnabled: false } },
    ],
    [{ text: { verbosity: 'low' } }, { verbosity: 'low' }],
    [{ text: { format: { type: 'json_object' } } }, { format: { type: 'json-object' } }],
    [
      { text: { format: { type: 'json_schema', name: 'a', schema: {}, strict: true } } },
      {
        format: {
          type: 'json-schema',
          name: 'a',
          description: undefined,
          schema: {},
          strict: true,
        },
      },
    ],
    [
      { modalities: ['text', 'image', 'text'], image_config: { size: '1' } },
      { modalities: ['text', 'image'], imageConfig: { size: '1' } },
    ],
    [{ service_tier: 'flex' }, { serviceTier: 'flex' }],
    [{ cache_control: { type: 'ephemeral' } }, { cache: { ttl: '5m' } }],
    [{ prompt_cache_key: 'k' }, { promptCacheKey: 'k' }],
    [{ prompt_cache_options: { mode: 'explicit' } }, { hasExplicitCacheOnly: true }],
    [
      { prompt_cache_options: { mode: 'explicit', ttl: '30m' } },
      { hasExplicitCacheOnly: true, promptCacheTtl: '30m' },
    ],
    [{ reasoning: { context: 'all_turns', mode: 'pro' } }, { thoughtsContext: 'all_turns' }],
    [
      { image_config: { size: '1', n: 2, list: [{}], none: null } },
      { imageConfig: { size: '1', n: 2, list: [{}] } },
    ],
    [
      { include: ['reasoning.encrypted_content', 'message.output_text.logprobs'] },
      { includesEncryptedReasoning: true, include: ['message.output_text.logprobs'] },
    ],
  ])('reaches the model, and nothing beside it: %o', (fields, options) => {
    expect(accepted(fields).inference.options).toEqual(options);
  });

  test.each<[Body, string]>([
    [{ top_k: -1 }, 'top_k: must be at least 0'],
    [{ frequency_penalty: 2.1 }, 'frequency_penalty: must be at most 2'],
    [{ top_logprobs: 21 }, 'top_logprobs: must be at most 20'],
    [{ reasoning: { effort: 'huge' } }, 'reasoning.effort: must be one of'],
    [{ reasoning: { mode: 'max' } }, 'reasoning.mode: must be one of standard, pro'],
    [{ reasoning: { context: 'some' } }, 'reasoning.context: must be one of'],
    [{ image_config: { size: { width: 1 } } }, 'image_config.size: must be a string, a number'],
    [{ image_config: { size: true } }, 'image_config.size: must be a string, a number'],
    [{ text: { format: {} } }, 'text.format.type: is required'],
    [
      { text: { format: { type: 'json_schema', name: 'a b', schema: {} } } },
      'text.format.name: must be 1 to 64',
    ],
    [{ text: { format: { type: 'json_schema', name: 'a' } } }, 'text.format.schema: is required'],
    [{ text: { format: { type: 'json_schema', schema: {} } } }, 'text.format.name: is required'],
    [{ modalities: ['audio'] }, 'modalities[0]: must be one of text, image'],
    [{ service_tier: 'gold' }, 'service_tier: must be one of'],
    [{ include: ['everything'], unsupported_features: 'strict' }, 'include[0]: must be one of'],
    [{ prompt_cache_options: {} }, 'prompt_cache_options.mode: is required'],
    [{ cache_control: { ttl: '5m' } }, 'cache_control.type: is required'],
    [{ image_config: 'x' }, 'image_config: must be an object'],
  ])('that is wrong is refused: %o', (fields, reason) => {
    expect(refused(fields).message).toContain(reason);
  });

  test('is repeated by the response', () => {
    const format = { type: 'json_schema', name: 'a', schema: {} };
    const { echo } = accepted({
      top_logprobs: 2,
      presence_penalty: 1,
      reasoning: { effort: 'low' },
      text: { format, verbosity: 'low' },
      prompt_cache_key: 'k',
    });
    expect(echo).toMatchObject({
      top_logprobs: 2,
      presence_penalty: 1,
      frequency_penalty: null,
      reasoning: { effort: 'low', summary: null },
      text: { format, verbosity: 'low' },
      prompt_cache_key: 'k',
    });
  });
});
