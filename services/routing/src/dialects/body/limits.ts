/** The limits of a body before schema validation, and of fields that the schema does not bound. */
export const jsonDepthMax = 64;
/** Far above 10,000 items with their fields. A parser takes a third of a second for this many. */
export const jsonValuesMax = 250_000;
/** Names of a body. A dialect has some sixty. A parser takes a third of a second for 200,000 different ones. */
export const outerNamesMax = 500;
/** Names of one object inside, such as the properties of a schema. */
export const innerNamesMax = 5_000;
/** The bytes of white space and digits per value, and in addition per body. Far above the needs of indentation. */
export const jsonBareBytesPerValue = 64;
export const jsonBareBytesMin = 65_536;
/** Measured as JSON. The trace is stored with every generation. */
export const traceCharactersMax = 8_192;
export const schemaCharactersMax = 262_144;
/** Fallbacks, beside the first choice. */
export const modelsMax = 10;
export const toolsMax = 128;
export const toolCallsMax = 30;
/** A refusal names no more problems than this. */
export const issuesMax = 20;
