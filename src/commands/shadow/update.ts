import type { LinkUpdate } from '../../admin/shadow/link-rows.ts';
import { type LinkConfig, linkChanges, linkConfig, setSecret } from '../../admin/shadow/link-words.ts';
import { flag, one } from '../../cli/command.ts';
import { change } from '../../cli/forms/change.ts';
import { toYaml } from '../../cli/output/render.ts';
import type { Context } from '../../context.ts';
import { stoppedError, usageError } from '../../errors.ts';
import { commandText } from '../../format/shell-word.ts';
import { path } from '../../kinds.ts';
import { anything, row, string } from '../../shape/shape.ts';
import { sending } from '../interruption.ts';
import { discardDraft, editText, keepingDraft } from '../profile/editor.ts';
import { type LinkFile, parseLinkFile, readLinkFile, warnOfIgnored } from './link-file.ts';
import { linkName, requireLink } from './link-name.ts';

/** The configuration that a link gets. */
interface Wanted extends LinkFile {
  /** The file that it was edited in. */
  readonly draft?: string;
}

/** `shadow update` */
export const update = change({
  summary: 'Change the configuration of a shadow link',
  description: `Without --config-file, opens the configuration in $VISUAL or $EDITOR, which may have arguments. Either way, the text is
the whole configuration: what is left out gets its default, except the password of a username and the key of a certificate,
which are kept. "[secret]" stands for one that is set. A link cannot be renamed.

Changes of filters and of the first offset only apply to topics that are copied later.`,
  examples: [
    ['In an editor', 'shadow update dr'],
    ['From a file', 'shadow update dr --config-file link.yaml'],
    ['Show what would change', 'shadow update dr -c link.yaml --dry-run'],
  ],
  apis: ['admin'],
  args: { link: one(linkName, 'LINK', 'name of the link') },
  flags: {
    configFile: flag(path, {
      short: 'c',
      help: 'new configuration of the link, in YAML or JSON; "-": standard input (default: an editor)',
    }),
  },
  changes: 'alters',
  guarded: 'because it can stop the copying of topics',
  noun: 'change',
  item: row({
    field: string,
    prior_value: anything,
    /** `[secret]` for a secret. */
    value: anything,
  }),
  async plan(context, { link, configFile, dryRun }) {
    const current = await requireLink(context, link);
    const before = linkConfig(current.configurations);
    const { name, config, draft } =
      configFile === undefined ? await editLink(context, link, before) : await readWanted(context, configFile);
    if (name !== link)
      throw usageError(`the configuration is of link "${name}", and not of "${link}": a link cannot be renamed`, {
        ...(draft !== undefined && { hints: [keptHint(link, draft)] }),
      });
    warnOfIgnored(context, config);
    const changes = linkChanges(before, config);
    checkPassword(before, config);
    const sections = [...new Set(changes.map(({ field }) => field.split('.')[0] ?? field))];
    if (changes.length === 0) context.notice('the link has this configuration already');
    if (draft !== undefined && dryRun) context.notice(keptHint(link, draft));
    if (draft !== undefined && changes.length === 0) await discardDraft(draft);
    const sent: LinkUpdate = { current, config, sections };
    return changes.map(({ field, before: prior_value, after: value }) => ({ field, prior_value, value, sent, draft }));
  },
  asks: (changes, { link }) => ({
    question: `Change the configuration of shadow link "${link}"`,
    name: link,
    hints: changes.flatMap(({ draft }) => (draft === undefined ? [] : [keptHint(link, draft)])).slice(0, 1),
  }),
  previews: true,
  async apply(context, changes, { link }) {
    const [first] = changes;
    if (first === undefined) return [];
    const { sent, draft } = first;
    const admin = await context.admin();
    sending(context, `updating shadow link "${link}"`, commandText`weir shadow describe ${link}`);
    const send = () => admin.updateShadowLink(sent);
    if (draft === undefined) await send();
    else {
      await keepingDraft(context, draft, send, keptHint(link, draft));
      await discardDraft(draft);
    }
    context.onInterrupt(stoppedError(`shadow link "${link}" has been updated`, [], link));
    return changes.map(() => ({}));
  },
  columns: [
    'field',
    ['prior value', ({ prior_value: value }) => shown(value)],
    ['value', ({ value }) => (value === setSecret ? `new ${setSecret}` : shown(value))],
  ],
  would: 'be changed',
});

/** A value on one line: of objects, such as filters, the values alone. */
function shown(value: unknown): string | null {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map(shown).join(', ');
  if (typeof value !== 'object') return String(value);
  const values = Object.values(value);
  return values.length === 0 ? 'yes' : values.map(shown).join(' ');
}

async function readWanted(context: Context, file: string): Promise<Wanted> {
  return await readLinkFile(context, file, { isNew: false });
}

async function editLink(context: Context, link: string, config: LinkConfig): Promise<Wanted> {
  const text = `# Shadow link ${link}. Save and close the file to apply your changes.\n# What is left out gets its default. "${setSecret}" keeps a password or a key; replace it to change it.\n${await toYaml({ name: link, ...config })}`;
  const form = {
    fileName: 'shadow-link.yaml',
    withoutEditor: commandText`give the new configuration as a file: weir shadow update ${link} --config-file FILE`,
  };
  const { draft, text: edited } = await editText(context, text, form);
  const parse = () => parseLinkFile(draft, edited.trim() === '' ? text : edited, { isNew: false });
  return { ...(await keepingDraft(context, draft, parse, keptHint(link, draft))), draft };
}

function keptHint(link: string, draft: string): string {
  return commandText`your text is kept in ${draft}; use it with: weir shadow update ${link} --config-file ${draft}`;
}

/**
 * The server keeps the password of SCRAM in an update, and not that of PLAIN: it refuses any update without it (redpanda
 * commit 1b95a07c: src/v/redpanda/admin/services/shadow_link/converter.cc:1657).
 */
function checkPassword(before: LinkConfig, after: LinkConfig): void {
  const password = plainPassword(after);
  if (plainPassword(before) === undefined || (password !== undefined && password !== setSecret)) return;
  if (!JSON.stringify(after.client_options ?? {}).includes('"plain_configuration"')) return;
  throw usageError('the cluster does not keep the password of plain_configuration in an update: give it again', {
    target: 'client_options.authentication_configuration.plain_configuration.password',
  });
}

function plainPassword({ client_options: client }: LinkConfig): unknown {
  const { authentication_configuration: login } = (client ?? {}) as Login;
  return login?.plain_configuration?.password;
}

interface Login {
  readonly authentication_configuration?: { readonly plain_configuration?: { readonly password?: unknown } };
}
