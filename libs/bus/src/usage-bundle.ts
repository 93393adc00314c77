/** Facts in one message of `usageRecorded`: writers cut there, readers refuse more. */
export const usageBundleFactsMax = 50;

/**
 * Of facts that go together; one that is longer goes alone. Far below what the broker takes, since some hundreds of
 * messages are with a consumer at one time.
 */
export const usageBundleBytesMax = 65_536;
