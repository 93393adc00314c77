import { nanoUsdToNumber } from '@sluice/inference';
import type { AlignmentRecord, AlignmentResult } from '../../request/alignment.ts';
import type { PluginSettings } from '../../request/plugins.ts';
import type { StageReport } from '../stage.ts';
import type { Evaluation, Verdict } from './evaluator.ts';

type Settings = PluginSettings<'alignment'>;

const usualThreshold = 0.7;

/** The judgments of one response. */
export class Judgments {
  readonly #settings: Settings;
  readonly #calls: AlignmentRecord[] = [];
  #costNanoUsd = 0n;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  get result(): AlignmentResult {
    return { calls: [...this.#calls] };
  }

  add(evaluation: Evaluation): AlignmentRecord {
    this.#costNanoUsd += evaluation.costNanoUsd;
    const record = this.#recordOf(this.#calls.length + 1, evaluation);
    this.#calls.push(record);
    return record;
  }

  report(): readonly StageReport[] {
    if (this.#calls.length === 0) return [];
    const count = (outcome: AlignmentRecord['outcome']) =>
      this.#calls.filter((record) => record.outcome === outcome).length;
    const data = {
      allowed: count('allowed'),
      blocked: count('blocked'),
      unavailable: count('unavailable'),
    };
    const counts = Object.entries(data).map(([outcome, number]) => `${outcome}=${String(number)}`);
    const cost_usd = nanoUsdToNumber(this.#costNanoUsd);
    return [{ type: 'plugin', name: 'alignment', summary: counts.join(', '), data, cost_usd }];
  }

  #recordOf(call: number, verdict: Verdict): AlignmentRecord {
    if ('reason' in verdict) return { call, outcome: 'unavailable', reason: verdict.reason };
    const threshold = this.#settings.threshold ?? usualThreshold;
    const rules = verdict.probabilities.map((probability) => ({
      probability,
      broken: probability >= threshold,
    }));
    return { call, outcome: rules.some(({ broken }) => broken) ? 'blocked' : 'allowed', rules };
  }
}
