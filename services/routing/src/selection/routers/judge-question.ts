import type { JsonObject } from '@sluice/client-schemas';
import type { TSchema } from 'typebox';

/** A question to a model whose answer decides between candidates. */
export interface JudgeQuestion {
  /** The name of the router in the books. */
  readonly router: 'switchyard-router' | 'jev-router';
  /** The model that judges. */
  readonly model: string;
  readonly instructions: string;
  /** The request as the judge sees it. */
  readonly task: JsonObject;
  /** The schema of the verdict. It has no free text: the record of a choice keeps nothing that users wrote. */
  readonly schema: TSchema;
}
