import { expect, it } from 'vitest';
import { startChain } from '../../../src/doctor/chain.ts';
import { checkAuthorization } from '../../../src/doctor/kafka/cluster.ts';
import type { OpenConnection } from '../../../src/kafka/protocol/transport/connection.ts';
import { deadlineOf } from '../../services/scripted-client.ts';

/** What the check says of the rights on the cluster, for the operations that the broker reports as bits. */
async function rightsFor(clusterAuthorizedOperations: number): Promise<string | undefined> {
  const deadline = deadlineOf();
  const connection = {
    version: () => 0,
    send: async () => ({ errorCode: 0, topics: [{}], clusterAuthorizedOperations }),
  } as unknown as OpenConnection;
  const chain = startChain({ api: 'kafka', target: 'b:9092', peer: 'broker b:9092' }, deadline);
  await checkAuthorization(chain, connection, undefined);
  deadline.dispose();
  return chain.checks[0]?.detail.replace('the principal sees 1 topic; rights on the cluster: ', '');
}

it.each([
  ['not reported', -(2 ** 31)],
  ['none', 0],
  ['ALTER', 1 << 7],
])('says %s for the operations %i', async (rights, bits) => {
  expect(await rightsFor(bits)).toBe(rights);
});
