/** The abilities of an Anthropic model, by its name. */
export interface ClaudeAbilities {
  /** It decides itself how much to think, by an effort; it takes no budget. */
  readonly thinksAdaptively: boolean;
  /** It takes a temperature and the like. */
  readonly takesSampling: boolean;
}

/** The first number of a name, and the second unless it is a date: `claude-sonnet-4-20250514` is 4. */
const versionPattern = /claude-\D*?(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/;
const adaptiveSince = 406;
const withoutSamplingSince = 407;
const minorsPerMajor = 100;

export function claudeAbilities(model: string): ClaudeAbilities {
  if (/claude-mythos/.test(model)) return { thinksAdaptively: true, takesSampling: false };
  const [, major = '0', minor = '0'] = versionPattern.exec(model) ?? [];
  const version = Number(major) * minorsPerMajor + Number(minor);
  return {
    thinksAdaptively: version >= adaptiveSince,
    takesSampling: version < withoutSamplingSince,
  };
}
