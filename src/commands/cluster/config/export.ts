import { statSync } from 'node:fs';
import { configValue } from '../../../admin/config-rows.ts';
import { flag, partlyShown, toggle } from '../../../cli/command.ts';
import type { Context } from '../../../context.ts';
import { usageError } from '../../../errors.ts';
import { absolutePath } from '../../../files/locations.ts';
import { followLinks, replaceFile } from '../../../files/replace.ts';
import { count } from '../../../format/count.ts';
import { path } from '../../../kinds.ts';
import { described, mapOf, maybe, type RowOf, row, string } from '../../../shape/shape.ts';
import { exportedValues, renderExport } from './config-file.ts';

/** The configuration, and the file that it was written to. */
const exported = row({
  file: described(maybe(string), 'null for standard output'),
  properties: mapOf(configValue),
});

/** What JSON shows, and the text of the file. */
type Exported = RowOf<typeof exported> & { readonly yaml: string };

/** Follows links; writes to nothing but files, which a device would become otherwise. */
async function writeExport({ signal }: Context, path: string, text: string): Promise<void> {
  const target = await followLinks(path);
  const stats = statSync(target, { throwIfNoEntry: false });
  // A stream that goes to a file would be cut off from it.
  const isStream = /^\/dev\/(std(out|err)|fd\/\d+)$/.test(path);
  if (isStream || (stats !== undefined && !stats.isFile()))
    throw usageError(`unable to write ${path}: it is not a regular file`, {
      target: '--file',
      hints: ['for standard output, use: --file -'],
    });
  await replaceFile(target, text, async () => !signal.aborted);
}

/** `cluster config export` */
export const exportCommand = partlyShown({
  summary: 'Write the properties of the cluster to a YAML file',
  description: `The file has every property with its value, set or not, and what the cluster says about it as a comment. Tunable
properties are left out unless --all is given; deprecated ones and the id of the cluster always are. A secret that is set
is written as "[secret]", which an import leaves as it is.`,
  examples: [
    ['To a file', 'cluster config export --file cluster.yaml'],
    ['To standard output', 'cluster config export'],
    ['With tunable properties, as JSON', 'cluster config export --all --format json'],
  ],
  apis: ['admin'],
  flags: {
    file: flag(path, { short: 'f', aliases: ['filename'], help: 'file to write; "-": standard output (default)' }),
    all: toggle({ help: 'include tunable properties' }),
  },
  changes: 'reads',
  result: exported,
  async run(context, { file = '-', all }): Promise<Exported> {
    const admin = await context.admin();
    const schema = await admin.configSchema();
    const values = exportedValues(schema, await admin.configuration(), { all });
    const yaml = renderExport(schema, values);
    const toFile = file === '-' ? null : absolutePath(context.host, file);
    if (toFile !== null) await writeExport(context, toFile, yaml);
    context.signal.throwIfAborted();
    return { file: toFile === null ? null : file, properties: Object.fromEntries(values), yaml };
  },
  show: {
    json: ({ file, properties }) => ({ file, properties }),
    text: ({ file, properties, yaml }) =>
      file === null ? yaml : `Wrote ${count(Object.keys(properties).length, 'value')} to ${file}.\n`,
  },
});
