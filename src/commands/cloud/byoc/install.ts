import { flag } from '../../../cli/command.ts';
import { change } from '../../../cli/forms/change.ts';
import type { Outcome } from '../../../cli/forms/outcome.ts';
import { stoppedError } from '../../../errors.ts';
import { commandText } from '../../../format/shell-word.ts';
import { row, string } from '../../../shape/shape.ts';
import { clusters, idOf } from '../find-id.ts';
import { clusterWord } from '../kinds.ts';
import { install as installRelease, mayRunPlugin, pluginMachine } from './run-plugin.ts';

/** `cloud byoc install` */
export const install = change({
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
  noun: 'plugin',
  isOne: true,
  item: row({ cluster_id: string, version: string, path: string }),
  async plan(context, { clusterId: word }) {
    await mayRunPlugin(context);
    const clusterId = await idOf(context, { kinds: [clusters], isOpen: true }, word);
    const { findPlugin } = await import('../../../byoc/plugin/plugin.ts');
    const machine = pluginMachine(context);
    const release = await findPlugin(await context.cloud(), { clusterId }, machine);
    const { pluginPath } = await import('../../../byoc/plugin/store.ts');
    return [{ cluster_id: clusterId, version: release.version, path: pluginPath(machine.directory, release), release }];
  },
  async applyEach(context, { cluster_id: clusterId, release }) {
    const again = commandText`repeat it with: weir cloud byoc install --cluster-id ${clusterId}`;
    context.onInterrupt(stoppedError('stopped before the plugin was installed', [again], clusterId));
    const { downloaded } = await installRelease(context, await context.cloud(), release);
    return downloaded ? {} : { status: 'NOT_NEEDED' };
  },
  text: ([plugin]) => (plugin === undefined ? '' : `${whatIs(plugin)} ${plugin.version}: ${plugin.path}\n`),
});

function whatIs({ status, dry_run: isDryRun }: Outcome): string {
  if (isDryRun) return 'The cluster needs the plugin';
  return status === 'NOT_NEEDED' ? 'The plugin is' : 'Installed the plugin';
}
