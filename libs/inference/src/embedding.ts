/** Asks for one vector per input instead of an answer. */
export interface EmbeddingOptions {
  /** The length of each vector. undefined: that of the model. */
  readonly dimensions: number | undefined;
  /** The use of the vectors in the client's word, for example `search_query`. */
  readonly inputType: string | undefined;
  /** The inputs as tokens of the model. Absent: each item of the request is an input. */
  readonly tokens?: readonly (readonly number[])[];
}

/** Numbers, or the base64 of 32-bit floats in little-endian order. */
export type EmbeddingVector = readonly number[] | string;
