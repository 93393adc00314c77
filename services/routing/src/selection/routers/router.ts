import type { Catalog, CatalogEndpoint, Model } from '@sluice/catalog';
import type { Rejection } from '@sluice/errors';
import type { InferenceRequest, ReasoningOptions } from '@sluice/inference';
import type { CanonicalCall } from '../../request/call.ts';
import type { StageReport } from '../../stages/stage.ts';
import type { SortKey } from '../../request/preferences.ts';
import type { Candidate } from '../candidate.ts';
import type { Condition } from '../order.ts';
import type { Strategy } from '../plan.ts';
import type { JudgeQuestion } from './judge-question.ts';

/** The name of a model that stands for a choice among models (inference.md, section 13.4). */
export interface Router {
  /** The name, as `service/free`. */
  readonly slug: string;
  readonly strategy: Strategy;
  /** Returns the models to try, or why there are none. A pure function of the call and of what is known. */
  expand(call: RoutedCall, known: RouterKnowledge): Expansion | Rejection;
  /** Returns the request as the models of the router get it. It is asked only for the first name of a request. */
  prepare?(call: RoutedCall, known: RouterKnowledge): InferenceRequest;
  /**
   * Returns the question to a model on whose answer, `judged` of the call, the choice depends. It is asked only for the
   * first name of a request. Undefined: the choice needs none.
   */
  asks?(call: RoutedCall, known: RouterKnowledge): JudgeQuestion | undefined;
}

export type RoutedField =
  | 'preferences'
  | 'inference'
  | 'plugins'
  | 'answeredBy'
  | 'judged'
  | 'preset'
  | 'aliases';
export type RoutedCall = Pick<CanonicalCall, RoutedField>;

/** The facts on which a router bases its choice. */
export interface RouterKnowledge {
  readonly catalog: Pick<Catalog, 'find' | 'listed' | 'routers'>;
  /** Returns whether the guardrails of the caller permit an endpoint. */
  readonly permits: (model: Model, endpoint: CatalogEndpoint) => boolean;
  readonly rankings: Rankings;
  /** The sort that the request or the suffix of the router's name asks for. */
  readonly sort: SortKey | undefined;
  /** Some prices depend on the time of the request. */
  readonly now: () => Date;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** The figures by which models are ranked. */
export interface Rankings {
  /** Returns the recent observations of this replica about an endpoint. */
  readonly condition: (endpointId: string) => Condition | undefined;
  /** Returns the share of each model of the spend of seven days. Undefined: none is known. */
  readonly shares: () => ReadonlyMap<string, number> | undefined;
}

/** The models that a router may choose. They go through the normal filters and the normal order. */
export interface Expansion {
  /** Ids of models, the first choice first. */
  readonly models: readonly string[];
  /** Returns whether an endpoint of these models may serve. Absent: all may. */
  readonly admits?: (endpoint: CatalogEndpoint) => boolean;
  /** Replaces the effort of the request. */
  readonly effort?: NonNullable<ReasoningOptions['effort']>;
  /** The inputs of the choice, for `service_metadata.params`. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** The entry in `service_metadata.pipeline`. */
  readonly report?: StageReport;
  /** Chooses among the endpoints that can serve the request. Absent: all of them are tried. */
  readonly narrow?: (able: readonly Candidate[]) => Narrowed | Rejection;
  /** Returns the refusal when filters left no endpoint of this router. Absent: that of the filter. */
  readonly refuse?: (byFilter: Rejection) => Rejection;
}

/** The final choice of a router. */
export interface Narrowed {
  /** The endpoints to try, those of the first choice first. At least one. */
  readonly candidates: readonly [Candidate, ...Candidate[]];
  /** The entry in `service_metadata.pipeline`. */
  readonly report: StageReport;
}
