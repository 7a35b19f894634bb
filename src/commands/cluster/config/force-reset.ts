import { flag, many } from '../../../cli/command.ts';
import { change } from '../../../cli/forms/change.ts';
import { nearest } from '../../../config/nearest.ts';
import { exitCodes, type ItemError } from '../../../errors.ts';
import { absolutePath } from '../../../files/locations.ts';
import { count } from '../../../format/count.ts';
import { excerpt } from '../../../format/excerpt.ts';
import { path, text } from '../../../kinds.ts';
import { row, string } from '../../../shape/shape.ts';
import { readLocalMap, rewriteLocal, withoutKeys } from './local-file.ts';

/** `cluster config force-reset` */
export const forceReset = change({
  summary: "Remove properties from a stopped broker's cache of the cluster configuration",
  description: `For a broker that does not start because of a property. Removes the properties from the cache file
of this broker, a YAML file in its data directory, so that it starts with their defaults. Stop the broker first.
Nothing is sent to the cluster.

The cluster still has the values: once the broker has joined, reset them with cluster config set KEY --reset, or the
broker gets them again.`,
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
  namesAll: true,
  noun: 'line',
  item: row({ property: string, file: string }),
  async plan({ host }, { properties, cacheFile }) {
    const local = await readLocalMap(absolutePath(host, cacheFile));
    const keys = local.fields.map(({ key }) => key);
    const wanted = [...new Set(properties)];
    const text = await withoutKeys(
      local,
      wanted.filter((key) => keys.includes(key)),
    );
    return await Promise.all(
      wanted.map(async (property) => {
        const error = keys.includes(property) ? null : missing(property, await nearest(property, keys));
        return { property, file: local.path, error, local, text };
      }),
    );
  },
  asks: (properties) => ({
    question: `Remove ${properties.map(({ property }) => excerpt(property)).join(', ')} from ${properties[0]?.file}`,
    name: count(properties.length, 'line'),
  }),
  async apply(context, properties) {
    const [first] = properties;
    if (first !== undefined) await rewriteLocal(context, first.local, { text: first.text, backup: false });
    return [];
  },
  columns: ['property'],
  would: 'be removed',
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
