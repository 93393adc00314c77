import type { Problem } from '@sluice/client-schemas';
import type { ErrorCode, Rejection } from '@sluice/errors';
import { availability } from '../../selection/availability.ts';
import { issuesMax } from './limits.ts';

/** The path of something inside the input, in the words of any dialect. */
const promptPath = /^(?:input|messages)\[/;

/** Collects the problems of a request. The first one determines the code and the message. */
export class Issues {
  readonly #issues: Problem[] = [];
  readonly #unbuilt: Problem[] = [];
  readonly #placeOf: (path: string) => string;
  #code: ErrorCode = 'invalid_request';

  /** `placeOf` returns the place of a problem as the client knows it. Absent: the path. */
  constructor(placeOf: (path: string) => string = (path) => path) {
    this.#placeOf = placeOf;
  }

  add(path: string, message: string, code: ErrorCode = 'invalid_request'): undefined {
    if (this.#issues.length === 0) this.#code = code;
    if (this.#issues.length < issuesMax) this.#issues.push({ path: this.#placeOf(path), message });
  }

  /** Adds the problems that a schema found. A problem inside the input has the code of a prompt. */
  addAll(problems: readonly Problem[]): void {
    for (const { path, message } of problems)
      this.add(path, message, promptPath.test(path) ? 'invalid_prompt' : 'invalid_request');
  }

  /** Adds a feature of the contract that is not built. It comes after all other problems. */
  addUnbuilt(path: string, name: string): undefined {
    const message = `${name} is known, but not available yet`;
    if (this.#unbuilt.length < issuesMax)
      this.#unbuilt.push({ path: this.#placeOf(path), message });
  }

  get count(): number {
    return this.#issues.length + this.#unbuilt.length;
  }

  rejection(): Rejection | undefined {
    if (this.count === 0) return undefined;
    const issues = [...this.#issues, ...this.#unbuilt].slice(0, issuesMax);
    const [first] = issues;
    if (!first) return undefined;
    const place = first.path === '' ? '' : `${first.path}: `;
    const isAbsent = this.#code === 'not_found';
    return {
      rejected: this.#code,
      message: isAbsent ? first.message : `Invalid request: ${place}${first.message}`,
      metadata: {
        issues,
        ...(this.#code === 'model_not_found' && {
          availability: availability('model_not_found', []),
        }),
      },
    };
  }
}
