/** The part of a generated service definition that calls and handlers are typed from. */
export type UnaryDefinition = Readonly<
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
export type Calls<Definition extends UnaryDefinition> = {
  readonly [Method in keyof Definition]: (
    request: ReturnType<Definition[Method]['requestDeserialize']>,
  ) => Promise<ReturnType<Definition[Method]['responseDeserialize']>>;
};
