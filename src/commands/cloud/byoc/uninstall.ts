import { command } from '../../../cli/command.ts';
import { itemErrorOf } from '../../../errors.ts';
import { table } from '../../../format/table.ts';
import { itemError } from '../../../shape/item-error.ts';
import { listOf, row, string, truth } from '../../../shape/shape.ts';
import { pluginMachine } from './run-plugin.ts';

/** `cloud byoc uninstall` */
export const uninstall = command({
  summary: 'Remove all plugins that weir downloaded',
  description: `Plugins are identified by their sha256: a file in the same directory that weir did not put there, or that was
changed since, is kept and reported. The next "apply" downloads its plugin again.`,
  examples: [
    ['All versions', 'cloud byoc uninstall'],
    ['Preview what would be removed', 'cloud byoc uninstall --dry-run'],
  ],
  changes: 'alters',
  result: listOf(row({ version: string, path: string, removed: truth, error: itemError })),
  async run(context, { dryRun }) {
    const { removePlugins } = await import('../../../byoc/plugin/store.ts');
    const removals = await removePlugins(pluginMachine(context).directory, { dryRun });
    if (removals.length === 0) context.notice('no plugin is installed');
    return removals.map(({ version, path, error }) => ({
      version,
      path,
      removed: error === undefined && !dryRun,
      error: error === undefined ? null : itemErrorOf(error),
    }));
  },
  show: {
    text: (rows, view) =>
      rows.length === 0
        ? ''
        : table(
            ['path', 'message'],
            rows.map(({ path, removed, error }) => [
              path,
              error?.message ?? (removed ? 'removed' : 'would be removed'),
            ]),
            view,
          ),
  },
});
