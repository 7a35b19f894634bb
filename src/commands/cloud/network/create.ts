import { command } from '../../../cli/command.ts';
import { isUnread } from '../../../cloud/api/error-words.ts';
import { type Network, network, pathOfAll } from '../../../cloud/cloud-rows.ts';
import type { Cloud } from '../../../cloud/open.ts';
import type { Fields } from '../../../shape/object.ts';
import { read } from '../../../shape/shape.ts';
import { sending } from '../../stopped.ts';
import { bodyFlags, fileFlag, readBody, withIds } from '../body.ts';
import { changed, changedText, finish, waitFlags, wouldSend } from '../change.ts';
import { networkShape } from '../shapes.ts';

/** `cloud network create` */
export const create = command({
  summary: 'Create a network for a cluster',
  description: `Accepts short words for those of the API: gcp means CLOUD_PROVIDER_GCP, byoc means TYPE_BYOC. The command waits
until the network is ready. Ctrl-C only stops waiting, and prints how to continue.`,
  examples: [
    [
      'A network for a BYOC cluster on GCP',
      'cloud network create --name net --resource-group-id 897e76ad --cidr-block 10.0.0.0/20 --cloud-provider gcp --cluster-type byoc --region us-central1',
    ],
    ['From a file, with another name', 'cloud network create --file network.yaml --name second'],
    ['Without waiting', 'cloud network create --file network.yaml --no-wait --format json'],
  ],
  apis: ['cloud'],
  flags: { ...bodyFlags(networkShape), file: fileFlag, ...waitFlags },
  changes: 'creates',
  result: changed(network.row),
  plan: async (context, values) => withIds(context, networkShape, await readBody(context, networkShape, values)),
  dryRun: (context, _values, body) => wouldSend(context, 'POST', pathOfAll(network), { body: { network: body } }),
  async run(context, values, body) {
    const cloud = await context.cloud();
    sending(context, `creating the network "${body.name}"`, 'weir cloud network list');
    const operation = await cloud.createNetwork(body);
    if (!values.wait) return operation;
    const done = await finish(context, operation, `creating the network "${body.name}"`, values);
    return await readMade(cloud, done.resource_id || String(done.metadata.network_id ?? ''), body);
  },
  show: { text: changedText },
});

/** Reads a new network. Of a control plane without this read, it is what was sent. */
async function readMade(cloud: Cloud, id: string, sent: Fields): Promise<Network> {
  try {
    return await cloud.getNetwork(id);
  } catch (error) {
    if (isUnread(error)) return read(network.answer, { ...sent, id });
    throw error;
  }
}
