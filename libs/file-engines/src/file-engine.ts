export type FileEngineName = 'mistral-ocr' | 'cloudflare-ai';

export interface EngineFile {
  /** Bytes of a PDF, or their base64. */
  readonly source: Uint8Array | string;
  readonly name: string | undefined;
}

/** The content of a file in its order. */
export type EngineContent =
  | { readonly type: 'text'; readonly text: string }
  /** A picture as a data URL. */
  | { readonly type: 'image'; readonly url: string };

export type EngineOutcome =
  | {
      readonly isRead: true;
      readonly content: readonly EngineContent[];
      /** The pages that the engine charges for. undefined: it does not say. */
      readonly pages: number | undefined;
    }
  | {
      readonly isRead: false;
      /** A sentence without words of the engine. */
      readonly message: string;
      /** The file was sent, and no answer says whether the engine charges for it. */
      readonly mayBeBilled: boolean;
    };

/** Reads PDFs. */
export interface FileEngine {
  readonly name: FileEngineName;
  /** The promise never rejects. */
  read(
    file: EngineFile,
    options: { readonly signal: AbortSignal; readonly requestId?: string },
  ): Promise<EngineOutcome>;
}

/** One HTTP exchange. Redirects are not followed: a key is for its engine alone. */
export type Dial = (
  url: string,
  init: {
    readonly method: 'POST';
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Uint8Array<ArrayBuffer>;
    readonly redirect: 'manual';
    readonly signal: AbortSignal;
  },
) => Promise<Response>;

export interface EngineBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
}

/** One engine's API: pure, so that recorded answers describe it. */
export interface FileAdapter {
  readonly baseUrl?: string;
  readonly path: string;
  body(file: EngineFile): EngineBody | Promise<EngineBody>;
  /** Returns the content of an answer; undefined: it is no answer of this engine. */
  read(
    answer: unknown,
  ): { readonly content: readonly EngineContent[]; readonly pages: number | undefined } | undefined;
}

/** Pictures of one file that are passed on (contract inference.md 7.2). */
export const picturesMax = 8;
