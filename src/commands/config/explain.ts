import { command, one, toggle } from '../../cli/command.ts';
import { arrayOf, booleanSchema, nullable, object, string, wordOf } from '../../cli/output/schema.ts';
import { type Source, sources } from '../../config/config.ts';
import { optionKey } from '../../config/option-key.ts';
import { envName, isOptionKey, optionOf } from '../../config/options.ts';
import { unknownOption } from '../../config/resolve/layer.ts';
import { type LayerRow, layerRows, type SettingRow, settingRow } from '../../config/resolve/provenance.ts';
import { table } from '../../format/table.ts';
import { plainView } from '../../format/view.ts';
import { settingProperties, valueText } from './show.ts';

interface Explanation extends SettingRow {
  readonly help: string;
  readonly kind: string;
  readonly example: string;
  readonly env: string;
  readonly profile: string | null;
  readonly layers: readonly LayerRow[];
}

/** `config explain` */
export const explain = command({
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
  changes: 'reads',
  async run(context, { key: word, showSecrets }): Promise<Explanation> {
    const key = word.toLowerCase();
    if (!isOptionKey(key)) throw await unknownOption(word, 'the arguments');
    const config = await context.config();
    const row = settingRow(config.setting(key), showSecrets);
    const { help, kind, example } = optionOf(key);
    const profile = config.profile?.name ?? null;
    return { ...row, help, kind: kind.name, example, env: envName(key), profile, layers: layerRows(row) };
  },
  output: {
    schema: object({
      ...settingProperties,
      help: string,
      kind: string,
      example: string,
      env: string,
      profile: nullable(string),
      layers: arrayOf(
        object({
          source: wordOf(...sources),
          given: booleanSchema,
          value: { type: ['string', 'boolean', 'array', 'null'], items: string },
          origin: nullable(string),
          in_use: booleanSchema,
        }),
      ),
    }),
    text: renderExplanation,
  },
});

function renderExplanation(option: Explanation): string {
  const lines = option.layers.map((layer) => layerCells(layer, option));
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
    ? `Set it with ${env}, or: weir profile set ${key}\n`
    : `Set it with -X ${key}=${example}, ${env}, or: weir profile set ${key}=${example}\n`;
}

const missing: Readonly<Record<Source, (option: Explanation) => string>> = {
  flag: ({ key }) => `not given (-X ${key}=…)`,
  env: ({ env }) => `not given (${env})`,
  profile: ({ profile }) => (profile === null ? 'no profile in use' : `not given (profile ${profile})`),
  broker: () => 'not given (broker configuration file)',
  default: () => 'none',
};

function layerCells(layer: LayerRow, option: Explanation): readonly string[] {
  if (!layer.given) return [layer.source, missing[layer.source](option)];
  const note = layer.in_use ? 'in use' : 'overridden';
  return [layer.source, valueText(layer.value), note, layer.origin ?? ''];
}
