import { command } from '../../../cli/command.ts';
import { bodyFlags, fileFlag, readBody } from '../body.ts';
import { changeOutput, finish, plan, waitFlags } from '../change.ts';
import { networkShape } from '../shapes.ts';
import { networkView } from '../views.ts';

/** `cloud network create` */
export const create = command({
  summary: 'Create a network for a cluster',
  description: `Short words of the API are understood beside its own: gcp is CLOUD_PROVIDER_GCP, byoc is TYPE_BYOC.
The command ends when the network is ready; Ctrl-C ends the waiting only, and says how to go on.`,
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
  async run(context, values) {
    const body = await readBody(context, networkShape, values);
    if (values.dryRun) return await plan(context, 'POST', '/v1/networks', { body: { network: body } });
    const cloud = await context.cloud();
    const operation = await cloud.createNetwork(body);
    if (!values.wait) return operation;
    const done = await finish(context, operation, `creating the network "${body.name}"`, values);
    return await cloud.getNetwork(done.resource_id || String(done.metadata.network_id ?? ''));
  },
  output: changeOutput(networkView),
});
