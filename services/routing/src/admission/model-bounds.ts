/** The bounds of one model that reads a request. */
export interface ModelBounds {
  /** If undefined, it is not known. */
  readonly contextLength: number | undefined;
  readonly addsFraming: boolean;
  /** Absent: the endpoint runs no tool in the place of the service. */
  readonly native?: NativeBounds | undefined;
}

/** The calls of an endpoint's own tools that stand in for tools of the service. */
export interface NativeBounds {
  readonly readingsMax: number;
  readonly webSearchesMax: number;
}
