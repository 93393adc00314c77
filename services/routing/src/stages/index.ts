import {
  addedFilterStage,
  type ContentFilterOptions,
  contentFilterStage,
  outputFilterStage,
} from './content-filter/index.ts';
import { type AlignmentOptions, alignmentStage, instructStage } from './alignment/index.ts';
import { type CompressionOptions, compressionStage } from './context-compression/index.ts';
import { fileParserStage, type FileParserOptions, filePicturesStage } from './file-parser/index.ts';
import { moderationStage, type ModerationOptions } from './moderation/index.ts';
import { healingStage, type HealingOptions } from './response-healing/index.ts';
import type { Stage } from './stage.ts';
import { webStage, type WebOptions } from './web/index.ts';

/**
 * Creates all stages, in the order of work of the contract (inference.md, section 18), whose numbers stand at the rows:
 * `input`, `candidate`, `attempt`, `turn`, `output`. A new stage is a folder and a row here.
 */
export function createStages(
  options: ContentFilterOptions &
    ModerationOptions &
    CompressionOptions &
    HealingOptions &
    WebOptions &
    FileParserOptions &
    AlignmentOptions,
): readonly Stage[] {
  const added = addedFilterStage(options);
  return [
    // 6. Guardrails on the input. 7. File parsing and web search; then routers (`selection/routers`).
    contentFilterStage(options),
    fileParserStage(options, added),
    webStage(options, added),
    instructStage(added),
    // 7. Moderation needs the endpoints that 8 chooses.
    moderationStage(options),
    // 8. Pictures of files, and context compression, for the model of each attempt.
    filePicturesStage(),
    compressionStage(options),
    // 10. Checks between turns. Alignment judges the answer that 11 leaves: nothing else may leave.
    added,
    alignmentStage(options),
    // 11. What the client gets is scanned last.
    healingStage(options),
    outputFilterStage(options),
  ];
}
