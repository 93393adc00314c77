/** The messages of a generation: what the model read, and its answer. */
export interface Contents {
  readonly system: readonly ContentPart[];
  readonly input: readonly ContentMessage[];
  readonly output: readonly ContentMessage[];
  readonly tools: readonly ToolDefinition[];
  /** Something is missing, because the whole was too long. */
  readonly isCut: boolean;
  /** Absent: the generation did not fail, or the reader does not want to know. */
  readonly error?: ContentError;
}

/** The failure of a generation. */
export interface ContentError {
  /** A code of the catalog of errors. */
  readonly code: string;
  readonly message: string;
  /** Empty: no provider was asked. */
  readonly provider: string;
  /** The attempts before it. */
  readonly previous: readonly FailedAttempt[];
}

export interface FailedAttempt {
  readonly code: string;
  readonly provider: string;
  /** The status that the provider answered with. Absent: none. */
  readonly status?: number;
}

export interface ContentMessage {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly parts: readonly ContentPart[];
  /** Only messages of the answer have one. */
  readonly finish_reason?: string;
}

/** Parts in the words of the semantic conventions. */
export type ContentPart =
  | { readonly type: 'text' | 'reasoning'; readonly content: string }
  | {
      readonly type: 'tool_call';
      readonly id: string;
      readonly name: string;
      /** The text of the model: JSON, or free text. */
      readonly arguments: string;
    }
  | { readonly type: 'tool_call_response'; readonly id: string; readonly response: string }
  | MediaPart;

/** A medium. Its bytes are left out. */
export interface MediaPart {
  readonly type: 'uri' | 'omitted_media';
  readonly modality: 'image' | 'audio' | 'video' | 'file';
  readonly mime_type?: string;
  readonly uri?: string;
}

export interface ToolDefinition {
  readonly type: 'function';
  readonly name: string;
  readonly description?: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
}
