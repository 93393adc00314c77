import type { JsonObject } from '@sluice/client-schemas';
import type { FunctionTool, InputItem, ReadPage } from '@sluice/inference';

/** A question of a tool to a model. It goes through the whole pipeline, like a request of the caller. */
export interface ModelQuestion {
  readonly model: string;
  /** The prompt of the system. */
  readonly instructions?: string | undefined;
  readonly items: readonly InputItem[];
  /**
   * Further fields of the body of `POST /responses`, in its words. Tools of a kind that asks already are left out: no
   * tool calls itself.
   */
  readonly fields?: JsonObject;
  /** Functions that the model may call. Nothing here runs them: a call ends the answer. */
  readonly functions?: readonly FunctionTool[];
  /** Called with pieces of the answer's text, which may begin again. */
  readonly onText?: ((delta: string) => void) | undefined;
  readonly onReasoning?: ((delta: string) => void) | undefined;
}

export interface ModelAnswer {
  /** The model that answered. */
  readonly model: string;
  /** The text after the last call of a tool. */
  readonly text: string;
  /** The whole answer after the last call of a tool. */
  readonly items: readonly InputItem[];
  /** All items, those before calls of tools among them, and these calls with their outputs. */
  readonly transcript: readonly InputItem[];
  /** Pages that tools gave to the model, and those that the answer cites. */
  readonly sources: readonly ReadPage[];
  /** Absent: the model came to an end. */
  readonly error?: AskFailure;
  /** The output limit cut the answer. */
  readonly isCut?: true;
}

export interface AskFailure {
  /** A code of the catalog of errors. */
  readonly code: string;
  readonly status: number;
  readonly message: string;
}

/** Never throws for a failure of the model. */
export type AskModel = (question: ModelQuestion) => Promise<ModelAnswer>;
