/** The part of a generated service definition that calls and handlers are typed from. */
export type RpcDefinition = Readonly<
  Record<
    string,
    {
      readonly path: string;
      readonly requestStream: boolean;
      readonly responseStream: boolean;
      readonly requestSerialize: (value: never) => Buffer;
      readonly requestDeserialize: (bytes: Buffer) => unknown;
      readonly responseSerialize: (value: never) => Buffer;
      readonly responseDeserialize: (bytes: Buffer) => unknown;
    }
  >
>;

/** A service as plain async functions: a server implements them and a client offers them. */
export type Calls<Definition extends RpcDefinition> = {
  readonly [Method in keyof Definition]: (
    request: RequestOf<Definition[Method]>,
  ) => Promise<ReturnType<Definition[Method]['responseDeserialize']>>;
};

/**
 * A method with a stream takes its messages as they come. A stream that its sender gives up looks like one that has
 * ended: the last message must say that it is the last.
 */
type RequestOf<Method extends RpcDefinition[string]> = Method['requestStream'] extends true
  ? AsyncIterable<ReturnType<Method['requestDeserialize']>>
  : ReturnType<Method['requestDeserialize']>;
