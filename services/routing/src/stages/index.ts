import { type ContentFilterOptions, contentFilterStage } from './content-filter/index.ts';
import { moderationStage, type ModerationOptions } from './moderation/index.ts';
import type { CandidateStage, Stage } from './stage.ts';

/**
 * Creates all stages, in the order of work of the contract (inference.md, section 18): content filters and prompt
 * injection, then file parsing, web search and routers. A new stage is one folder and one row here.
 */
export function createStages(
  options: Pick<ContentFilterOptions, 'scanner' | 'onUnscanned'>,
): readonly Stage[] {
  return [contentFilterStage(options)];
}

/** Creates the stages that need the chosen endpoints, in their order. */
export function createCandidateStages(options: ModerationOptions): readonly CandidateStage[] {
  return [moderationStage(options)];
}
