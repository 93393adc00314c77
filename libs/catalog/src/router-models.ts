import type { ReasoningEffort } from '@sluice/inference';

/** The operator's models for the routers that ask a judge. */
export interface RouterModels {
  /** The model that judges. Absent: a cheap one of the candidates. */
  readonly judge?: string | undefined;
  /** The candidates of `service/switchyard`. Absent: Sluice chooses them. */
  readonly switchyard?: { readonly efficient: string; readonly capable: string } | undefined;
  /** The candidates of `service/jev-router`. Empty: Sluice chooses them. */
  readonly pool: readonly PoolModel[];
}

export interface PoolModel {
  readonly model: string;
  /** A name that requests give as `cost_tier`. */
  readonly costTier: string;
  /** The efforts that the judge may choose. Empty: none, and the model thinks as it does. */
  readonly efforts: readonly ReasoningEffort[];
}

/** The section `routers` of the catalog file. */
export interface RouterRows {
  readonly judge?: string | undefined;
  readonly switchyard?: RouterModels['switchyard'];
  readonly jev?:
    | readonly {
        readonly model: string;
        readonly cost_tier: string;
        readonly efforts?: readonly string[] | undefined;
      }[]
    | undefined;
}

export function routerModelsOf({ judge, switchyard, jev = [] }: RouterRows = {}): RouterModels {
  const pool = jev.map(({ model, cost_tier: costTier, efforts = [] }): PoolModel => {
    return { model, costTier, efforts: efforts as readonly ReasoningEffort[] };
  });
  return { judge, switchyard, pool };
}

/** Lists the models of this section that do not exist. */
export function routerProblems(
  { judge, switchyard, jev = [] }: RouterRows,
  exists: (id: string) => boolean,
): readonly string[] {
  const named: readonly (readonly [string, string | undefined])[] = [
    ['judge', judge],
    ['switchyard.efficient', switchyard?.efficient],
    ['switchyard.capable', switchyard?.capable],
    ...jev.map(({ model }, index) => [`jev[${String(index)}].model`, model] as const),
  ];
  return named.flatMap(([path, id]) =>
    id === undefined || exists(id) ? [] : [`routers.${path}: there is no model ${id}`],
  );
}
