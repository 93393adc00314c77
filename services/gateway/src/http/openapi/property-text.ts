/** What a property means, and a value that it may have. */
export type PropertyText = readonly [description: string, example: unknown];
