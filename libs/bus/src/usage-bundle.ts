/** Facts in one message of `usageRecorded`: writers cut there, readers refuse more. */
export const usageBundleFactsMax = 50;

/**
 * Bounds a bundle of several facts. A longer fact goes alone. The broker takes far more, but a consumer holds some
 * hundreds of messages at one time.
 */
export const usageBundleBytesMax = 65_536;
