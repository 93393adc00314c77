/**
 * Instructions of all custom patterns of a guardrail, as the linear-time engine compiles them. The time and the memory
 * of a scan grow with them.
 */
export const patternInstructionsMax = 50_000;
