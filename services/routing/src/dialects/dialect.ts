import type { Rejection } from '@sluice/errors';
import type { AnswerPart, InferenceRequest, LastPart } from '@sluice/inference';
import type { InferenceReply } from '@sluice/inference-port';
import type { ErrorContext } from '@sluice/client-errors';
import type { RequestDefaults } from '../policy/policy.ts';
import type { AlignmentResult } from '../request/alignment.ts';
import type { CanonicalCall } from '../request/call.ts';
import type { FieldWords } from '../request/field-words.ts';
import type { ServiceMetadata } from '../request/service-metadata.ts';
import type { UsageReport } from '../request/usage-report.ts';

/** An API format of clients. Does no I/O. Other rooms use only this interface. */
export interface ClientDialect {
  /** Scans a body before the caller's settings are known. Only a large body takes several turns of the event loop. */
  scan(body: Uint8Array): ScannedBody | Promise<ScannedBody>;
  /** Answers a request that failed before there was output. Takes a Rejection, a Fault or any other error. */
  error(problem: unknown, context?: ErrorContext): InferenceReply;
  /** The words of the client for fields of the canonical call. Absent: those of `POST /responses`. */
  readonly words?: FieldWords;
  /**
   * The clients of this dialect send the same output limit to every model, and switch reasoning off for small
   * questions.
   */
  readonly settingsAreWishes?: true;
  /** Answers with the count of the input, and no endpoint generates. Absent if an endpoint answers. */
  readonly tellCount?: (inputTokens: number) => InferenceReply;
}

export interface ScannedBody {
  /** Returns the call, or the reason why the body is invalid. */
  parse(defaults: RequestDefaults): ParsedCall | Rejection;
}

/** The refusal of a request that names a preset which is not known yet, or not at all. */
export interface PresetWanted extends Rejection {
  readonly wantedPreset: string;
}

/** Returns the slug of the preset that a refused request names. undefined: it was refused for another reason. */
export function wantedPreset(rejection: Rejection): string | undefined {
  return 'wantedPreset' in rejection ? (rejection as PresetWanted).wantedPreset : undefined;
}

export interface ParsedCall {
  readonly call: CanonicalCall;
  /**
   * Returns the writers of the answer. It repeats the texts of `sent`, the request as the stages left it, and no hosted
   * tools of the kinds in `leftOut`.
   */
  writers(sent: InferenceRequest, leftOut: readonly string[]): AnswerWriters;
}

/** Writes the answer to one call. The writers know the fields of the request that the dialect repeats. */
export interface AnswerWriters {
  /** Writes an answer event by event. */
  stream(head: AnswerHead): StreamWriter;
  /** Writes an answer in one piece. */
  whole(head: AnswerHead): WholeWriter;
}

/** The facts of an answer before its first output. */
export interface AnswerHead {
  /** A unique name. The ids of the response derive from it. */
  readonly name: string;
  /** The model that serves the answer. */
  readonly model: string;
  /** Unix seconds. */
  readonly createdAt: number;
  /** Sluice's own count of the input, until the provider reports one. */
  readonly inputTokens: number;
  /** The output limit that Sluice set. Absent if the client's own limit applies. */
  readonly maxOutputTokens?: number;
  /** The model cannot think, although the client asked for it. */
  readonly dropsThinking: boolean;
  /** The client is Codex, which compacts its conversation only for a certain code. */
  readonly isForCodex?: boolean;
}

/** The end of an answer: its last part and the facts that the meter adds. */
export interface Settlement {
  readonly last: LastPart;
  /** undefined if nothing was served or billed. */
  readonly usage: UsageReport | undefined;
  /** Unix seconds. */
  readonly completedAt: number;
  /** The tier that served the request. Absent if the provider did not report it. */
  readonly serviceTier?: string | undefined;
  /** Absent: the client did not ask for it. */
  readonly serviceMetadata?: ServiceMetadata | undefined;
  /** Absent: the request has no rules. */
  readonly alignment?: AlignmentResult | undefined;
}

/** The body of an upstream request, for a client that asks for it. */
export type SentBody = Readonly<Record<string, unknown>>;

/** Folds the parts of an answer. */
interface ResponseWriter {
  /** Headers of the reply. */
  readonly headers: Readonly<Record<string, string>>;
  /** undefined until the answer has ended. */
  readonly status: 'completed' | 'incomplete' | 'failed' | undefined;
  /** Names the model and the provider that serve from here on. */
  servedBy(model: string, provider: string): void;
}

export interface WholeWriter extends ResponseWriter {
  /** The status of the reply after the end. Absent or undefined: 200, also of a failed answer. */
  readonly httpStatus?: number | undefined;
  write(parts: readonly AnswerPart[]): void;
  /** Returns the answer, a very long one in pieces. Called once. */
  end(settlement: Settlement): string | AsyncIterable<Uint8Array>;
}

export interface StreamWriter extends ResponseWriter {
  write(parts: readonly AnswerPart[]): Uint8Array;
  /** Returns the rest of the answer. Called once. */
  end(settlement: Settlement): Uint8Array;
  /** A keep-alive comment, which clients skip. */
  readonly keepAlive: Uint8Array;
  /** Returns the beginning of the answer. Called once, before all else. */
  begin(sent: readonly SentBody[]): Uint8Array;
  /** Returns the events for the bodies that further providers got. */
  report(sent: readonly SentBody[]): Uint8Array;
  /** Ends an answer that broke after its first output, in place of `end`. */
  abort(failure: Extract<LastPart, { type: 'error' }>): Uint8Array;
}
