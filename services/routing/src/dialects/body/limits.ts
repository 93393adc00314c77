/** The limits of a body before schema validation, and of fields that the schema does not bound. */
export const jsonDepthMax = 64;
/** Far above 10,000 items with their fields. A parser takes a third of a second for this many. */
export const jsonValuesMax = 250_000;
/** Names of a body. A dialect has some sixty. A parser takes a third of a second for 200,000 different ones. */
export const outerNamesMax = 500;
/** Names of one object inside, such as the properties of a schema. */
export const innerNamesMax = 4_000;
/**
 * The different rows of names in all objects together. The scan leaves out the first 1,024 strings. A parser makes a
 * hidden class for each row: 4,000 take about 6 ms, 60,000 half a second.
 */
export const nameRowsMax = 3_000;
/** A parser looks up each of them: 12,000 take about 4 ms, 200,000 a quarter of a second. */
export const shortStringsMax = 12_000;
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
