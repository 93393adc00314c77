/**
 * The reason why a server gave no result. `http`: it answered with a status that is no success. `protocol`: its answer
 * is an error of the protocol, or no answer of it. `network`: there is no answer.
 */
export interface McpFailure {
  readonly failed: 'http' | 'protocol' | 'network';
  /** The status, or the code of the protocol. 0: there is none. */
  readonly code: number;
  /** A sentence for the model and the client. It holds no header of the request. */
  readonly message: string;
}

export function isMcpFailure(value: object): value is McpFailure {
  return 'failed' in value;
}
