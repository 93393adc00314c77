import {
  type AnyConfig,
  completeConfig,
  configProblems,
  configUrls,
  type DestinationType,
} from '@sluice/destinations';
import { isEgressFailure, parseTarget, type TargetRules } from '@sluice/egress';
import { invalidRequest, invalidValue, type Issue, rejectionToFault } from '@sluice/errors';

/** Hosts that only a local resolver knows. Addresses are checked when they are dialed, too. */
const localName = /(?:^|\.)(?:localhost|local|internal|localdomain|lan|home\.arpa)\.?$/i;
/** A sealed secret has at most 64 KiB. */
const configBytesMax = 32 * 1024;

/** Reads a JSON object. Throws invalid_request. */
export function parseConfig(json: string): AnyConfig {
  const config: unknown = parsed(json);
  if (typeof config !== 'object' || config === null || Array.isArray(config))
    throw invalidValue('config', 'must be an object');
  return config as AnyConfig;
}

/**
 * Returns the config with its defaults. Throws invalid_request with the paths of the fields that are wrong, and of URLs
 * that may not be called. No message contains a value.
 */
export function checkedConfig(
  type: DestinationType,
  given: AnyConfig,
  targets: TargetRules,
): AnyConfig {
  const config = completeConfig(type, given);
  const problems = configProblems(type, config);
  if (problems.length > 0) throw rejectionToFault(invalidRequest(problems));
  const urlIssues = configUrls(type, config).flatMap(({ path, url }): readonly Issue[] => {
    const message = urlProblem(url, targets);
    return message === undefined ? [] : [{ path, message }];
  });
  if (urlIssues.length > 0) throw rejectionToFault(invalidRequest(urlIssues));
  if (Buffer.byteLength(JSON.stringify(config)) > configBytesMax)
    throw invalidValue('config', `must have at most ${configBytesMax} bytes as JSON`);
  return config;
}

function urlProblem(text: string, targets: TargetRules): string | undefined {
  const url = parseTarget(text, targets);
  if (isEgressFailure(url)) {
    if (url.reason === 'forbidden_address') return 'must be the URL of a public address';
    return `must be a URL that may be called: ${url.message}`;
  }
  return localName.test(url.hostname) ? 'must be the URL of a public host' : undefined;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
