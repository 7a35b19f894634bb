/** What the act needs of the demo. */
export interface Stage {
  say(line: string): void;
  /** Shows a command and its output, and returns its standard output. */
  step(args: readonly string[]): Promise<string>;
  /** Runs a command unseen, with `--format json`, and returns what it printed. */
  look(args: readonly string[]): Promise<unknown>;
}

/** A BYOC cluster created and deleted on the sandbox's simulated control plane. */
export async function playCloudAct({ say, step, look }: Stage): Promise<void> {
  say('# A cloud beside it: a simulated control plane, with a plugin that stands in for the vendor’s');
  await step(['sandbox', 'start', '--cloud']);
  say("# A cluster in one's own cloud account needs a resource group and a network first");
  await step(['cloud', 'resource-group', 'create', 'demo']);
  const group = idOf(await look(['cloud', 'resource-group', 'list']));
  const place = ['--resource-group-id', group, '--cloud-provider', 'gcp', '--region', 'us-central1'];
  const byoc = ['--cidr-block', '10.0.0.0/20', '--cluster-type', 'byoc'];
  await step(['cloud', 'network', 'create', '--name', 'demo', ...byoc, ...place]);
  const network = idOf(await look(['cloud', 'network', 'list']));
  say('# One command requests the cluster, runs the plugin when its time has come, and waits');
  const zones = 'us-central1-a,us-central1-b,us-central1-c';
  const size = ['--network-id', network, '--zones', zones, '--throughput-tier', 'tier-1-gcp-v2-x86'];
  const plugin = ['--apply', '--project-id', 'demo-project'];
  await step(['cloud', 'cluster', 'create', '--name', 'demo', '--type', 'byoc', ...place, ...size, ...plugin]);
  await step(['cloud', 'cluster', 'list']);
  const cluster = idOf(await look(['cloud', 'cluster', 'list']));
  say('# One command deletes it: cluster, agent, network, resource group');
  const everything = ['--destroy', '--project-id', 'demo-project', '--with-network', '--with-resource-group'];
  await step(['cloud', 'cluster', 'delete', cluster, ...everything, '--yes']);
  await step(['cloud', 'operation', 'list']);
}

function idOf(rows: unknown): string {
  const [row] = rows as readonly { id: string }[];
  if (row === undefined) throw new Error('what was created is not listed');
  return row.id;
}
