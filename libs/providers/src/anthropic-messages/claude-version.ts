/** The abilities of an Anthropic model, derived from its name. */
export interface ClaudeAbilities {
  /** The model takes an effort instead of a thinking budget. */
  readonly thinksAdaptively: boolean;
  /** The model accepts sampling options such as a temperature. */
  readonly takesSampling: boolean;
  /** The model keeps to the schema of a strict tool. */
  readonly takesStrictTools: boolean;
  /** The model reads system texts between the turns. */
  readonly takesSystemTurns: boolean;
}

/** Matches the first number of a name, and the second unless it is a date: `claude-sonnet-4-20250514` is 4. */
const versionPattern = /claude-\D*?(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/;
const strictSince = 405;
const adaptiveSince = 406;
const withoutSamplingSince = 407;
const systemTurnsSince = 408;
const minorsPerMajor = 100;

export function claudeAbilities(model: string): ClaudeAbilities {
  if (/claude-mythos/.test(model))
    return {
      thinksAdaptively: true,
      takesSampling: false,
      takesStrictTools: true,
      takesSystemTurns: false,
    };
  const [, major = '0', minor = '0'] = versionPattern.exec(model) ?? [];
  const version = Number(major) * minorsPerMajor + Number(minor);
  return {
    thinksAdaptively: version >= adaptiveSince,
    takesSampling: version < withoutSamplingSince,
    takesStrictTools: version >= strictSince,
    takesSystemTurns: version >= systemTurnsSince,
  };
}
