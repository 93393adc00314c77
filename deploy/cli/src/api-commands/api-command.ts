/** One operation of the API as a command. `api-commands.json` holds them all. */
export interface ApiCommand {
  readonly operationId: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** The path in the API's description: `/v1/keys/{hash}`. */
  readonly path: string;
  /** `workspaces budgets set`: the last word is the command, the others are its group. */
  readonly words: string;
  readonly summary: string;
  /** The group alone means this one. */
  readonly isDefault?: true;
  /** Which key the request presents; absent: the management key. */
  readonly key?: 'api';
  readonly arguments: readonly ApiArgument[];
  /** A last argument that may be repeated: a field of the body. */
  readonly rest?: ApiArgument & { readonly field: string };
  readonly options: readonly ApiOption[];
  readonly hasBody?: true;
  /** The columns of a list that a human is shown; absent: every field. */
  readonly columns?: readonly string[];
  /** The field of the answer's `data` that is the list; absent: `data` itself. */
  readonly rows?: string;
}

export interface ApiArgument {
  readonly name: string;
  readonly does: string;
  readonly example: string;
}

/**
 * The way in which a value is read. `list` is JSON, or texts separated by commas. `secret`, `file` and `secrets` name a
 * file that holds a secret, a text, or JSON with a secret in it. The path `-` is standard input. The service judges the
 * value.
 */
export type ValueKind =
  | 'text'
  | 'number'
  | 'boolean'
  | 'list'
  | 'json'
  | 'secret'
  | 'file'
  | 'secrets';

export interface ApiOption {
  /** `--limit-reset` */
  readonly flag: string;
  readonly field: string;
  readonly in: 'query' | 'body';
  readonly kind: ValueKind;
  readonly does: string;
  readonly example: string;
  readonly required?: true;
  /** `none` is null. */
  readonly nullable?: true;
}
