import { setSecret } from '../../admin/shadow/link-words.ts';
import { flag } from '../../cli/command.ts';
import { change } from '../../cli/forms/change.ts';
import { CliError, exitCodes, stoppedError, usageError } from '../../errors.ts';
import { excerpt } from '../../format/excerpt.ts';
import { printable } from '../../format/printable.ts';
import { commandText } from '../../format/shell-word.ts';
import { path } from '../../kinds.ts';
import { listOf, maybe, row, string } from '../../shape/shape.ts';
import { sending } from '../interruption.ts';
import { type LinkFile, readLinkFile, warnOfIgnored } from './link-file.ts';

/** `shadow create` */
export const create = change({
  summary: 'Create a shadow link, which copies topics from another cluster',
  description: `The file says where the source is and what is copied: make one with weir shadow config generate, or use one made for rpk.
The cluster connects to the source before it creates the link, and creates the topics by itself. The topics are read-only
until they are failed over.

Shadow links need the cluster property enable_shadow_linking and an enterprise license. A cluster takes one link.`,
  examples: [
    ['From a file', 'shadow create --config-file link.yaml'],
    ['Check the file', 'shadow create -c link.yaml --dry-run'],
  ],
  apis: ['admin'],
  flags: {
    configFile: flag(path, {
      short: 'c',
      required: true,
      help: 'configuration of the link, in YAML or JSON; "-": standard input',
    }),
  },
  changes: 'creates',
  noun: 'link',
  isOne: true,
  item: row({
    name: string,
    /** Null in a dry run. */
    uid: maybe(string),
    source: listOf(string),
  }),
  async plan(context, { configFile }) {
    const { name, config } = await readLinkFile(context, configFile, { isNew: true });
    checkSecrets(config);
    warnOfIgnored(context, config);
    const links = await (await context.admin()).shadowLinks();
    if (links.some((link) => link.name === name)) throw exists(name);
    const { bootstrap_servers: source } = config.client_options as { readonly bootstrap_servers: readonly string[] };
    return [{ name, uid: null, source, config }];
  },
  async applyEach(context, { name, config }) {
    const admin = await context.admin();
    sending(context, `creating shadow link "${name}"`, 'weir shadow list');
    const { uid } = await admin.createShadowLink(name, config);
    context.onInterrupt(stoppedError(`shadow link "${name}" has been created`, [], name));
    context.noticeAfter(commandText`see what it copies with: weir shadow status ${name}`);
    return { uid };
  },
  text: (links) =>
    links
      .map(({ name, source, dry_run: isDryRun }) => {
        const link = `shadow link "${printable(name)}" from ${printable(source.join(', '))}`;
        return isDryRun ? `OK (dry run: ${link} would be created)\n` : `created ${link}\n`;
      })
      .join(''),
});

/** What stands for a secret that is set is no secret of a new link. */
function checkSecrets(config: LinkFile['config']): void {
  if (!JSON.stringify(config).includes(`"${setSecret}"`)) return;
  throw usageError(`the file has "${setSecret}", which stands for a secret that is not shown`, {
    target: '--config-file',
    hints: ['write the password or the key in its place'],
  });
}

function exists(name: string): CliError {
  return new CliError(exitCodes.conflict, `unable to create shadow link "${excerpt(name)}": it already exists`, {
    code: 'LINK_ALREADY_EXISTS',
    target: name,
    hints: [commandText`change it with: weir shadow update ${name}`],
  });
}
