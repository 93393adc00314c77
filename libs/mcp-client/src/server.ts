/** A server that a stranger names, with what the stranger sends it. */
export interface McpServer {
  readonly url: string;
  /** Secrets stand here. They leave in requests to this server and nowhere else. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The call of a tool. */
export interface McpCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** The answer of a tool. */
export interface McpOutput {
  readonly text: string;
  /** The tool says that it failed. */
  readonly isError: boolean;
}
