import { unreachableError } from '../../../src/errors.ts';
import { createPartitions } from '../../../src/kafka/protocol/wire/apis/create-partitions.ts';
import { clientOf } from '../../services/scripted-client.ts';
import { services } from '../../services/services.ts';

/** Increases a topic to `count` partitions and waits until the broker reports them. */
export async function addPartitions(name: string, count: number): Promise<void> {
  await using client = clientOf([services().plaintext]);
  const request = { topics: [{ name, count }], timeoutMs: 5_000, validateOnly: false };
  const { results } = await client.request(createPartitions, request, 'controller');
  if (results[0]?.errorCode !== 0) throw new Error(`error code ${results[0]?.errorCode}`);
  await client.retry('the new partitions', async () => {
    const partitions = (await client.metadata([name])).topics[0]?.partitions ?? [];
    if (partitions.filter(({ leader }) => leader >= 0).length < count) throw unreachableError('not told yet');
  });
}
