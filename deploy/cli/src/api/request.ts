/** One request to the API, made from the words of a command. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below the base URL, with its arguments in place, percent-encoded. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** If undefined, the call has no body. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** Parts of the body that are read from files: secrets do not stand in a list of processes. */
  readonly files: readonly BodyFile[];
  /** The columns of a list. Empty: every field is shown. */
  readonly columns: readonly string[];
  /** The field of one thing that is its list; absent: the answer is one, or has none. */
  readonly rows?: string;
  /** Words that may be beginnings of hashes of keys: whole ones take their place. */
  readonly hashes?: readonly string[];
  /** Which key the request presents; absent: the management key. */
  readonly key?: 'api';
  readonly json: boolean;
}

/**
 * A file that holds a field of the body: a text, a secret without the line end of its file, or JSON. A `body` holds
 * fields under their names. The path `-` is standard input.
 */
export type BodyFile =
  | { readonly field: string; readonly path: string; readonly kind: 'text' | 'secret' | 'json' }
  | { readonly path: string; readonly kind: 'body' };
