import { command } from '../../../cli/command.ts';
import { arrayOf, booleanSchema, itemErrorSchema, object, string } from '../../../cli/output/schema.ts';
import { type ItemError, itemErrorOf } from '../../../errors.ts';
import { table } from '../../../format/table.ts';
import { pluginMachine } from './run-plugin.ts';

interface UninstalledRow {
  readonly version: string;
  readonly path: string;
  readonly removed: boolean;
  readonly error: ItemError | null;
}

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
  async run(context, { dryRun }): Promise<readonly UninstalledRow[]> {
    const { removePlugins } = await import('../../../cloud/plugin/store.ts');
    const removals = await removePlugins(pluginMachine(context).directory, { dryRun });
    if (removals.length === 0) context.notice('no plugin is installed');
    return removals.map(({ version, path, error }) => ({
      version,
      path,
      removed: error === undefined && !dryRun,
      error: error === undefined ? null : itemErrorOf(error),
    }));
  },
  output: {
    schema: arrayOf(object({ version: string, path: string, removed: booleanSchema, error: itemErrorSchema })),
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
