import { runBench, say } from '../../program.ts';
import { classifyPrompt, measureClassifier } from './classifier-bench.ts';
import { scoreTable } from './score.ts';

/** Measures the classifier of the auto router: `npm run bench:classifier`. */
await runBench('classifier', async () => {
  say(scoreTable(classifyPrompt).join('\n'));
  return measureClassifier();
});
