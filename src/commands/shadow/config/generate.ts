import { flag, toggle } from '../../../cli/command.ts';
import { getCommand } from '../../../cli/forms/read.ts';
import { usageError } from '../../../errors.ts';
import { commandText } from '../../../format/shell-word.ts';
import { outputPath } from '../../../kinds.ts';
import { maybe, row, string } from '../../../shape/shape.ts';
import { writeNewFile } from '../../topic/new-file.ts';
import { linkTemplate } from './template.ts';

/** `shadow config generate` */
export const generate = getCommand({
  summary: 'Print a configuration file for a shadow link, with comments',
  description: `The file copies every topic and every committed offset of the source. The rest is commented out, with examples and
defaults. Change the addresses of the source, and use the file with weir shadow create.`,
  examples: [
    ['To a file', 'shadow config generate -o link.yaml'],
    ['To standard output', 'shadow config generate'],
  ],
  flags: {
    output: flag(outputPath, { short: 'o', help: 'write the configuration to this new file' }),
    forCloud: toggle({ hidden: true, help: 'refused: weir makes no shadow links of clusters in Redpanda Cloud' }),
    printTemplate: toggle({ hidden: true, help: 'ignored: the comments are always there' }),
  },
  row: row({
    /** Null for standard output. */
    file: maybe(string),
    text: string,
  }),
  async read(context, { output, forCloud }) {
    if (forCloud)
      throw usageError('weir makes no shadow links of clusters in Redpanda Cloud', {
        target: '--for-cloud',
        hints: ['rpk makes them'],
      });
    if (output === undefined) return { file: null, text: linkTemplate };
    await writeNewFile(context, output, linkTemplate);
    context.noticeAfter(commandText`edit it, and then: weir shadow create --config-file ${output}`);
    return { file: output, text: linkTemplate };
  },
  text: ({ file, text }) => (file === null ? text : `Wrote ${file}.\n`),
});
