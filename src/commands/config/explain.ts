import { one, toggle } from '../../cli/command.ts';
import { getCommand } from '../../cli/forms/read.ts';
import type { Source } from '../../config/config.ts';
import { unknownOption } from '../../config/layer.ts';
import { optionKey } from '../../config/option-key.ts';
import { envName, isOptionKey, optionOf, secretPartOf } from '../../config/options.ts';
import { layerRows, settingRow } from '../../config/settings/provenance.ts';
import { Layer, SettingRow } from '../../config/settings/setting-rows.ts';
import { table } from '../../format/table.ts';
import { plainView } from '../../format/view.ts';
import { listOf, maybe, type RowOf, row, string } from '../../shape/shape.ts';
import { valueText } from './show.ts';

const Explanation = row({
  ...SettingRow.fields,
  help: string,
  kind: string,
  example: string,
  env: string,
  profile: maybe(string),
  layers: listOf(Layer),
});
type Explanation = RowOf<typeof Explanation>;

/** `config explain` */
export const explain = getCommand({
  summary: 'Explain why an option has its value',
  description: `Lists the five sources of the option, the one with the highest priority first: what each one sets, where,
and which one is in use.`,
  examples: [
    ['Where the brokers come from', 'config explain brokers'],
    ['Whether TLS is enabled, and why', 'config explain tls.enabled --profile prod'],
  ],
  args: { key: one(optionKey, 'KEY', 'option to explain') },
  flags: { showSecrets: toggle({ help: 'show passwords and client secrets in clear text' }) },
  // It calls none of them, but explains all of their options, including their deprecated flags.
  apis: ['kafka', 'admin', 'registry', 'cloud'],
  row: Explanation,
  async read(context, { key: word, showSecrets }): Promise<Explanation> {
    const named = word.toLowerCase();
    if (!isOptionKey(named)) throw await unknownOption(word, 'the arguments');
    const key = secretPartOf(named)?.key ?? named;
    const config = await context.config();
    const row = settingRow(config.setting(key), showSecrets);
    const { help, kind, example } = optionOf(key);
    const profile = config.profile?.name ?? null;
    return { ...row, help, kind: kind.name, example, env: envName(key), profile, layers: layerRows(row) };
  },
  text: renderExplanation,
});

function renderExplanation(option: Explanation): string {
  const lines = option.layers.map((one) => layerCells(one, option));
  const from = option.source === 'default' ? 'the default' : `${option.origin}`;
  return [
    `${option.key} is ${valueText(option.value)}: it comes from ${from}.\n`,
    `${option.help}\n`,
    table([], lines, { ...plainView, noHeaders: true }),
    howToSet(option),
  ].join('\n');
}

/** How to set the option: a secret not on the command line, where others can read it. */
function howToSet({ key, env, example }: Explanation): string {
  const isSecret = isOptionKey(key) && optionOf(key).secret;
  return isSecret
    ? `Set it with ${env}, or: weir profile set ${key}\nIt can also come from a command, a file or the keychain: ${key}.command, ${key}.file, ${key}.keychain\n`
    : `Set it with -X ${key}=${example}, ${env}, or: weir profile set ${key}=${example}\n`;
}

const missing: Readonly<Record<Source, (option: Explanation) => string>> = {
  flag: ({ key }) => `not given (-X ${key}=…)`,
  env: ({ env }) => `not given (${env})`,
  profile: ({ profile }) => (profile === null ? 'no profile in use' : `not given (profile ${profile})`),
  broker: () => 'not given (broker configuration file)',
  default: () => 'none',
};

function layerCells(one: Layer, option: Explanation): readonly string[] {
  if (!one.given) return [one.source, missing[one.source](option)];
  const note = one.in_use ? 'in use' : 'overridden';
  return [one.source, valueText(one.value), note, one.origin ?? ''];
}
