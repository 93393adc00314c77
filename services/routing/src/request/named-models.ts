import type { PresetContent } from '@sluice/client-schemas/presets';

/** A preset of a workspace, in the version that requests get. */
export interface Preset {
  readonly id: string;
  readonly slug: string;
  readonly version: number;
  readonly content: PresetContent;
  /** True if answers are kept in the response cache. Absent: the preset says nothing about it. */
  readonly cacheEnabled?: boolean;
  readonly cacheTtlSeconds?: number;
}

/** A preset that a request names. */
export interface UsedPreset extends Preset {
  /** The name of the model as the client wrote it. */
  readonly requested: string;
}

/** A name that stands for models. */
export interface ModelAlias {
  readonly name: string;
  readonly version: number;
  /** The first choice first. */
  readonly models: readonly string[];
  /** Goes on when a budget does not hold the models. Absent: none. */
  readonly budgetModel?: string;
}

/** The aliases that hold in a workspace, by name. */
export type ModelAliases = ReadonlyMap<string, ModelAlias>;

/** The aliases that a request names. */
export interface UsedAliases {
  /** The models as the client wrote them. */
  readonly requested: readonly string[];
  /** The first one that the request names. */
  readonly alias: ModelAlias;
  /** The number of models that the first name of the request stands for. Absent: it is no alias. */
  readonly firstCount?: number;
  /** Models that may serve only when no budget holds one of the others. */
  readonly budgetModels: readonly string[];
}
