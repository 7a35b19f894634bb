import { command, flag } from '../../../cli/command.ts';
import { booleanSchema, object, string } from '../../../cli/output/schema.ts';
import { text } from '../../../kinds.ts';
import { install as installRelease, pluginMachine } from './run-plugin.ts';

interface InstalledRow {
  readonly cluster_id: string;
  readonly version: string;
  readonly path: string;
  /** False when it was there already, or is only said to be downloaded. */
  readonly downloaded: boolean;
}

/** `cloud byoc install` */
export const install = command({
  summary: 'Download the plugin that a BYOC cluster needs',
  description: `Which version that is, the cluster says. The download is verified before it is kept; several versions stand side
by side in the cache. "apply", "destroy" and "validate" do the same by themselves: this is for machines that prepare.`,
  examples: [
    ['For one cluster', 'cloud byoc install --cluster-id cjb5vehc4vs19qc11pjg'],
    ['Which version would it be?', 'cloud byoc install --cluster-id cjb5vehc4vs19qc11pjg --dry-run'],
  ],
  flags: { clusterId: flag(text, { help: 'id of the cluster', aliases: ['redpanda-id'], required: true }) },
  changes: 'creates',
  apis: ['cloud'],
  async run(context, { clusterId, dryRun }): Promise<InstalledRow> {
    const { findPlugin } = await import('../../../cloud/plugin/plugin.ts');
    const machine = pluginMachine(context);
    const cloud = await context.cloud();
    const release = await findPlugin(cloud, { clusterId }, machine);
    if (dryRun) {
      const { pluginPath } = await import('../../../cloud/plugin/store.ts');
      const path = pluginPath(machine.directory, release);
      return { cluster_id: clusterId, version: release.version, path, downloaded: false };
    }
    return { cluster_id: clusterId, ...(await installRelease(context, cloud, release)) };
  },
  output: {
    schema: object({ cluster_id: string, version: string, path: string, downloaded: booleanSchema }),
    text: ({ version, path, downloaded }) =>
      downloaded ? `Installed the plugin ${version}: ${path}\n` : `The plugin is ${version}: ${path}\n`,
  },
});
