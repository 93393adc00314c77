import { createScanner } from '@sluice/content-scanner';
import { localModerator, type Moderator } from '@sluice/moderation';
import type { Telemetry } from '@sluice/telemetry';
import type { WorkerPool } from '@sluice/worker-pool';
import type { AlignmentOptions } from '../stages/alignment/index.ts';
import { createStages } from '../stages/index.ts';
import type { FileParserOptions } from '../stages/file-parser/index.ts';
import type { Stage } from '../stages/stage.ts';
import type { WebOptions } from '../stages/web/index.ts';

interface StageDeps extends WebOptions, FileParserOptions, Pick<AlignmentOptions, 'evaluator'> {
  readonly pool: WorkerPool;
  /** Our own rules when absent. */
  readonly moderator?: Moderator;
  readonly telemetry: Pick<Telemetry, 'metrics'>;
}

/** Creates the stages with all that they need. */
export function stagesOf({
  pool,
  moderator = localModerator({ pool }),
  telemetry,
  searchEngines,
  catalog,
  clock,
  fileParser,
  evaluator,
}: StageDeps): readonly Stage[] {
  const { alignmentEvaluations, moderationChecks, routingTextsUnscanned } = telemetry.metrics;
  return createStages({
    pool,
    searchEngines,
    catalog,
    clock,
    fileParser,
    scanner: createScanner({ pool }),
    moderator,
    onUnscanned: (reason, groups) => routingTextsUnscanned.add(groups, { reason }),
    evaluator,
    onEvaluated: (outcome) => alignmentEvaluations.add(1, { outcome }),
    onChecked: (outcome) => moderationChecks.add(1, { outcome }),
  });
}
