/** The limits of a request. Characters are UTF-16 code units. */
export const inputItemsMax = 10_000;
export const contentPartsMax = 10_000;
export const toolsMax = 128;
export const promptVariablesMax = 256;
export const pluginsMax = 32;
export const stopConditionsMax = 32;
export const jsonDepthMax = 64;
/** Far above 10,000 items with their fields; a parser takes a third of a second for so many. */
export const jsonValuesMax = 250_000;
/** White space and digits: as many a value, and as many besides. Far above what indentation takes. */
export const jsonBareBytesPerValue = 64;
export const jsonBareBytesMin = 65_536;
export const modelCharactersMax = 256;
export const identifierCharactersMax = 256;
export const safetyIdentifierCharactersMax = 512;
export const descriptionCharactersMax = 65_536;
export const metadataPairsMax = 16;
export const metadataKeyCharactersMax = 64;
export const metadataValueCharactersMax = 512;
/** As JSON: it is kept with every generation. */
export const traceCharactersMax = 8_192;
export const toolCallsMax = 30;
/** A refusal names no more problems than this. */
export const issuesMax = 20;
/** The greatest size of one medium inside a request. */
export const mediaBytesMax = 20 * 1024 * 1024;
export const urlCharactersMax = 8_192;
export const filenameCharactersMax = 1_024;
export const reasoningTokensMax = 1_000_000;
export const schemaCharactersMax = 262_144;
