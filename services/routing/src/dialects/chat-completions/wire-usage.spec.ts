import { expect, test } from 'vitest';
import { settlement } from '../testing/write-answer.ts';
import { chatUsage } from './wire-usage.ts';

test('usage has every count of the contract, also those that no book has', () => {
  const { usage } = settlement;
  expect(usage && chatUsage(usage)).toMatchObject({
    prompt_tokens: 10,
    completion_tokens: 5,
    total_tokens: 15,
    prompt_tokens_details: {
      cached_tokens: 4,
      cache_write_tokens: 0,
      audio_tokens: 0,
      video_tokens: 0,
    },
    completion_tokens_details: {
      reasoning_tokens: 2,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
    // Strict clients require the first two of these names, and the others are those of every route.
    cost_details: {
      upstream_inference_prompt_cost: 0.000_006_4,
      upstream_inference_completions_cost: 0.000_01,
      upstream_inference_input_cost: 0.000_006_4,
      upstream_inference_output_cost: 0.000_01,
    },
  });
});
