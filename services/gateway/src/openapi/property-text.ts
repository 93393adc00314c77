/** The description of a property, and an example value. */
export type PropertyText = readonly [description: string, example: unknown];
