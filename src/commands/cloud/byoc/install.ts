import { command, flag } from '../../../cli/command.ts';
import { stoppedError } from '../../../errors.ts';
import { commandText } from '../../../format/shell-word.ts';
import { always, described, leftOut, row, string, truth } from '../../../shape/shape.ts';
import { clusters, idOf } from '../find-id.ts';
import { clusterWord } from '../kinds.ts';
import { install as installRelease, mayRunPlugin, pluginMachine } from './run-plugin.ts';

/** `cloud byoc install` */
export const install = command({
  summary: 'Download the plugin that a BYOC cluster needs',
  description: `The cluster determines the version. The download is verified before it is kept, and the cache may contain several
versions. "apply", "destroy" and "validate" download the plugin automatically. Use this to pre-install the plugin.`,
  examples: [
    ['For one cluster', 'cloud byoc install --cluster-id cjb5vehc4vs19qc11pjg'],
    ['Show the version without downloading it', 'cloud byoc install --cluster-id cjb5vehc4vs19qc11pjg --dry-run'],
  ],
  flags: {
    clusterId: flag(clusterWord, { help: 'id or name of the cluster', aliases: ['redpanda-id'], required: true }),
  },
  changes: 'creates',
  apis: ['cloud'],
  result: row({
    cluster_id: string,
    version: string,
    path: string,
    downloaded: described(truth, 'false if the plugin was already installed, and in a dry run'),
    dry_run: leftOut(always(true)),
  }),
  async run(context, { clusterId: word, dryRun }) {
    await mayRunPlugin(context);
    const clusterId = await idOf(context, { kinds: [clusters], isOpen: true }, word);
    const { findPlugin } = await import('../../../byoc/plugin/plugin.ts');
    const machine = pluginMachine(context);
    const cloud = await context.cloud();
    const release = await findPlugin(cloud, { clusterId }, machine);
    if (dryRun) {
      const { pluginPath } = await import('../../../byoc/plugin/store.ts');
      const path = pluginPath(machine.directory, release);
      return { cluster_id: clusterId, version: release.version, path, downloaded: false, dry_run: true as const };
    }
    const again = commandText`repeat it with: weir cloud byoc install --cluster-id ${clusterId}`;
    context.onInterrupt(stoppedError('stopped before the plugin was installed', [again], clusterId));
    return { cluster_id: clusterId, ...(await installRelease(context, cloud, release)) };
  },
  show: {
    text: ({ version, path, downloaded }, _view, { dryRun }) => {
      if (dryRun) return `The cluster needs the plugin ${version}: ${path}\n`;
      return downloaded ? `Installed the plugin ${version}: ${path}\n` : `The plugin is ${version}: ${path}\n`;
    },
  },
});
