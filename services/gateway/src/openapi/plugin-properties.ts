import type { PropertyText } from './property-text.ts';

/** Settings of plugins that have no other place in the API. */
export const pluginProperties: Readonly<Record<string, PropertyText>> = {
  algorithm: ['How the router chooses between its two candidates.', 'capability'],
  allowed_domains: ['The only domains that may be fetched.', ['example.com']],
  analysis_models: ['The models of the panel.', ['sim/echo']],
  blocked_domains: ['Domains that may not be fetched.', ['example.com']],
  cost_quality_tradeoff: ['The older form of `cost_tier`: higher is cheaper.', 9],
  cost_tier: ['The band of costs from which a model is chosen.', 'low'],
  engine: ['What does the work.', 'native'],
  exclude_domains: ['Domains that are left out of a search.', ['example.com']],
  excluded_models: ['Patterns of models that are not chosen.', ['sim/*']],
  include_domains: ['The only domains of a search.', ['example.com']],
  max_content_tokens: ['Number of tokens of a page that are kept.', 1_000],
  max_results: ['Number of results of a search.', 5],
  max_uses: ['Number of times that it may be used in a request.', 3],
  min_coding_score: ['The least score of a model, from 0 to 1.', 0.5],
  pdf: ['How files of the format PDF are read.', { engine: 'native' }],
  pin_model: ['Whether later turns keep the model of the last answer.', false],
  price_source: ['The price that the highest one is compared with.', 'prompt'],
  search_prompt: ['The text before the results of a search.', 'Use these results.'],
};
