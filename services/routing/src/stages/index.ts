import { type ContentFilterOptions, contentFilterStage } from './content-filter/index.ts';
import type { Stage } from './stage.ts';

/**
 * Creates all stages, in the order of work of the contract (inference.md, section 18): content filters and prompt
 * injection, then file parsing, web search, routers and moderation. A new stage is one folder and one row here.
 */
export function createStages(
  options: Pick<ContentFilterOptions, 'onUnscanned'> = {},
): readonly Stage[] {
  return [contentFilterStage(options)];
}
