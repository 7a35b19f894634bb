import { change } from '../../../cli/forms/change.ts';
import { tableOf } from '../../../cli/forms/columns.ts';
import type { Outcome } from '../../../cli/forms/outcome.ts';
import { itemErrorOf } from '../../../errors.ts';
import { row, string } from '../../../shape/shape.ts';
import { pluginMachine } from './run-plugin.ts';

/** `cloud byoc uninstall` */
export const uninstall = change({
  summary: 'Remove all plugins that weir downloaded',
  description: `Plugins are identified by their sha256: a file in the same directory that weir did not put there, or that was
changed since, is kept and reported. The next "apply" downloads its plugin again.`,
  examples: [
    ['All versions', 'cloud byoc uninstall'],
    ['Preview what would be removed', 'cloud byoc uninstall --dry-run'],
  ],
  changes: 'alters',
  noun: 'plugin',
  item: row({ version: string, path: string }),
  async plan(context) {
    const { storedPlugins } = await import('../../../byoc/plugin/store.ts');
    const plugins = await storedPlugins(pluginMachine(context).directory);
    if (plugins.length === 0) context.notice('no plugin is installed');
    return plugins.map(({ error, ...plugin }) => ({ ...plugin, error: error && itemErrorOf(error) }));
  },
  async apply(context, plugins) {
    const { removePlugins } = await import('../../../byoc/plugin/store.ts');
    const errors = await removePlugins(pluginMachine(context).directory, plugins);
    return errors.map((error) => ({ error: error && itemErrorOf(error) }));
  },
  text: (rows, view) => (rows.length === 0 ? '' : tableOf(rows, ['path', ['message', message]], view)),
});

function message({ error, dry_run: isDryRun }: Outcome): string {
  return error?.message ?? (isDryRun ? 'would be removed' : 'removed');
}
