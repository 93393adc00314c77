import type { InferenceRequest } from '@sluice/inference';
import type { ReadPage } from '@sluice/inference';
import type { FieldWords } from './field-words.ts';
import type { FileAnnotation, RequestFiles } from './file-annotation.ts';
import type { Judged } from './judged.ts';
import type { LoopLimits } from './loop-limits.ts';
import type { UnsupportedMode } from './leave-out-tools.ts';
import type { Plugins } from './plugins.ts';
import type { UsedAliases, UsedPreset } from './named-models.ts';
import type { Preferences } from './preferences.ts';

/** A valid request to create a response, whatever the client speaks. */
export interface CanonicalCall {
  /** Which models, at which endpoints. */
  readonly preferences: Preferences;
  /** The request to the model. `maxOutputTokens` is the client's own limit. */
  readonly inference: InferenceRequest;
  readonly user: string | undefined;
  readonly sessionId: string | undefined;
  /** Never sent upstream as it is. */
  readonly safetyIdentifier: string | undefined;
  /** JSON of an object; empty: none. Kept with the generation, and never sent upstream. */
  readonly trace: string;
  readonly plugins: Plugins;
  /** The model that the last message of the assistant names. Absent: it names none. */
  readonly answeredBy?: string;
  /** The answer of the judge that a router asked. Absent: none was asked. */
  readonly judged?: Judged;
  /** The client wants to see what goes to each provider. Of a stream alone. */
  readonly echoesUpstreamBody: boolean;
  /** Applies to hosted tools that no chosen endpoint runs, too. */
  readonly unsupportedMode: UnsupportedMode;
  /** The kinds of hosted tools that are not in `inference`, because nothing runs them. */
  readonly leftOut: readonly string[];
  /** Unless the mode is strict, a model honours an output limit, or no thoughts, as far as it can. */
  readonly settingsAreWishes?: true | undefined;
  readonly loop: LoopLimits;
  /** The preset whose fields are in the request. Absent: it names none. */
  readonly preset?: UsedPreset | undefined;
  /** The aliases in whose place `preferences` has models. Absent: the request names none. */
  readonly aliases?: UsedAliases | undefined;
  /** Pages that were found before the model is asked, and that its answer may cite. */
  readonly sources?: readonly ReadPage[];
  /** Absent: the plugin `file-parser` is off. */
  readonly files?: RequestFiles;
  /** Files that a parser read for this request, or for an earlier one. */
  readonly parsedFiles?: readonly FileAnnotation[];
  /** The client's words in late refusals. Absent: those of `POST /responses`. */
  readonly words?: FieldWords | undefined;
  /** A header text about fields without effect and interrupted calls. Absent: there are none. */
  readonly warning?: string;
}
