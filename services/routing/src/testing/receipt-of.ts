import type { Receipt } from '@sluice/simulator';
import { eventually, type RoutingHarness } from './routing-harness.ts';

/** Returns the provider's receipt of a generation, once its usage fact names it. */
export async function receiptOf(
  { ledger, receipts }: Pick<RoutingHarness, 'ledger' | 'receipts'>,
  generationId: string,
): Promise<Receipt> {
  const fact = await eventually(
    () => ledger.facts.find((each) => each.generationId === generationId),
    'the usage fact',
  );
  return await eventually(
    async () => (await receipts()).find(({ id }) => id === fact.upstreamId),
    'the receipt',
  );
}
