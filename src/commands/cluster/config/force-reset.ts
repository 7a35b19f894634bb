import { command, flag, many } from '../../../cli/command.ts';
import { nearest } from '../../../config/nearest.ts';
import { exitCodes, type ItemError } from '../../../errors.ts';
import { absolutePath } from '../../../files/locations.ts';
import { count } from '../../../format/count.ts';
import { excerpt } from '../../../format/excerpt.ts';
import { statusCell } from '../../../format/status.ts';
import { table } from '../../../format/table.ts';
import { path, text } from '../../../kinds.ts';
import { itemError } from '../../../shape/item-error.ts';
import { listOf, row, string } from '../../../shape/shape.ts';
import { readLocalMap, rewriteLocal, withoutKeys } from './local-file.ts';

/** A property that was to be removed from the file. */
const resetRow = row({ property: string, file: string, error: itemError });

/** `cluster config force-reset` */
export const forceReset = command({
  summary: "Remove properties from a stopped broker's cache of the cluster configuration",
  description: `For a broker that does not start because of a property. Removes the properties from the cache file of this broker, a
YAML file in its data directory, so that it starts with their defaults. The cluster still has the values: once the broker
has joined, reset them with cluster config set KEY --reset, or the broker gets them again.

Stop the broker first. Nothing is sent to the cluster. All other lines of the file, comments included, stay as they are.`,
  examples: [
    [
      'Start with the default of a property',
      'cluster config force-reset log_segment_size --cache-file /var/lib/redpanda/data/config_cache.yaml',
    ],
    [
      'Show what would be removed',
      'cluster config force-reset log_segment_size --cache-file /var/lib/redpanda/data/config_cache.yaml --dry-run',
    ],
  ],
  args: { properties: many(text, 'PROPERTY', 'property to remove') },
  flags: { cacheFile: flag(path, { help: "the broker's cache of the configuration", required: true }) },
  changes: 'destroys',
  result: listOf(resetRow),
  namesAll: true,
  async confirm({ host }, { properties, cacheFile }) {
    const local = await readLocalMap(absolutePath(host, cacheFile));
    const known = [...new Set(properties)].filter((key) => local.fields.some((field) => field.key === key));
    if (known.length === 0) return null;
    return {
      question: `Remove ${known.map(excerpt).join(', ')} from ${local.path}`,
      name: count(known.length, 'line'),
    };
  },
  async run(context, { properties, cacheFile, dryRun }) {
    const local = await readLocalMap(absolutePath(context.host, cacheFile));
    const keys = local.fields.map(({ key }) => key);
    const wanted = [...new Set(properties)];
    const known = wanted.filter((key) => keys.includes(key));
    const rows = await Promise.all(
      wanted.map(async (property) => {
        const error = known.includes(property) ? null : missing(property, await nearest(property, keys));
        return { property, file: local.path, error };
      }),
    );
    if (known.length === 0) return rows;
    const shortened = await withoutKeys(local, known);
    if (!dryRun) await rewriteLocal(context, local, { text: shortened, backup: false });
    return rows;
  },
  show: {
    text: (rows, view) =>
      table(
        ['property', 'status'],
        rows.map(({ property, error }) => [property, statusCell(error, 'OK')]),
        view,
      ),
  },
});

function missing(property: string, meant: string | undefined): ItemError {
  const also = meant === undefined ? '' : `, did you mean "${excerpt(meant)}"?`;
  return {
    code: 'NOT_FOUND',
    number: null,
    retryable: false,
    exit_code: exitCodes.notFound,
    message: `the file has no property "${excerpt(property)}"${also}`,
  };
}
