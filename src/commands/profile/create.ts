import { change } from '../../cli/forms/change.ts';
import type { Outcome } from '../../cli/forms/outcome.ts';
import { optionOf } from '../../config/options.ts';
import { addProfile, setCurrent } from '../../config/profile/edit.ts';
import type { ProfileFile } from '../../config/profile/file.ts';
import type { Context } from '../../context.ts';

import { printable } from '../../format/printable.ts';
import { commandText } from '../../format/shell-word.ts';
import { described, leftOut, listOf, type RowOf, row, string } from '../../shape/shape.ts';
import { createArgs, createFlags, type Plan, planCreation } from './creation-plan.ts';
import { ChangedSettings, sentences, settingsOf } from './outcome.ts';
import { rejectTaken, tryEdit, writeEdit } from './profile-file.ts';

const ImportedSetting = row({ property: string, options: listOf(string) });
type ImportedSetting = RowOf<typeof ImportedSetting>;

const CreatedProfiles = row({
  profiles: listOf(ChangedSettings),
  imported: leftOut(
    described(
      listOf(ImportedSetting),
      'the properties of a file of Kafka clients that were understood, and the options that they became',
    ),
  ),
  lost: described(listOf(string), 'the parts of an imported file that were not imported'),
});

/** `profile create` */
export const create = change({
  summary: 'Create a profile and select it',
  description: `--from copies another profile, a file (a profile file, the client section of a broker configuration
file, what "rpk profile print" prints, client.properties of Kafka, or a configuration file of kcat or librdkafka) or,
with the word "current", the configuration in use, and lists what it could not take. --from-rpk imports every profile
of an rpk.yaml; NAME is then the new name of the profile that is selected there. Paths of rpk's profiles work as keys
of --set, for example kafka_api.sasl.user.

The new profile is selected, unless it is protected.`,
  examples: [
    ['A cluster with TLS', 'profile create prod --set brokers=b1.example:9092,b2.example:9092 --set tls.enabled=true'],
    [
      'With a description, and protected against destructive commands',
      'profile create live -d "handle with care" --protected',
    ],
    ['A copy of another profile with one change', 'profile create test --from prod --set user=tester'],
    ["The settings of Kafka's own programs, or of kcat", 'profile create prod --from client.properties'],
    ['All profiles of rpk', 'profile create --from-rpk'],
  ],
  args: createArgs,
  flags: createFlags,
  changes: 'creates',
  noun: 'profile',
  isOne: true,
  item: CreatedProfiles,
  async plan(context, values) {
    const { imported, ...creation } = await planCreation(context, values);
    const { drafts, current, lost, risks } = creation;
    // Nobody should stand on production because of a creation.
    const isProtected = drafts.some(({ name, protected: is }) => name === current && is);
    const edit = async (stored: ProfileFile) => {
      rejectTaken(
        stored,
        drafts.map(({ name }) => name),
      );
      let file = stored;
      for (const draft of drafts) file = await addProfile(file, draft);
      return isProtected ? file : await setCurrent(file, current);
    };
    const { before, after } = await tryEdit(context, edit);
    for (const line of risks) context.warn(line);
    const profiles = drafts.map(({ name }) => settingsOf(before, after, name));
    return [
      { profiles, ...(imported && { imported }), lost, drafts, edit, unselected: isProtected ? current : undefined },
    ];
  },
  async applyEach(context, { edit, unselected, ...plan }) {
    await writeEdit(context, edit);
    noteSecrets(context, plan);
    if (unselected !== undefined)
      context.noticeAfter(
        commandText`a protected profile is not selected when it is created; select it with: weir profile use ${unselected}`,
      );
    return {};
  },
  text: (rows) => rows.map(createdText).join(''),
});

function createdText({ profiles, imported = [], lost, ...outcome }: RowOf<typeof CreatedProfiles> & Outcome): string {
  const notes = lost.map((line) => `  ${printable(line)}\n`).join('');
  return [
    ...profiles.map((one) => (one.profile === one.current ? selectedText : createdOnlyText)([{ ...one, ...outcome }])),
    imported.length === 0 ? '' : `imported:\n${imported.map(importedLine).join('')}`,
    notes === '' ? '' : `not imported:\n${notes}`,
  ].join('');
}

const selectedText = sentences(
  'Created and switched to new profile NAME.',
  'Would create and switch to new profile NAME.',
);
const createdOnlyText = sentences('Created profile NAME.', 'Would create profile NAME.');

function importedLine({ property, options }: ImportedSetting): string {
  return `  ${property}${options.length === 0 ? '' : ` -> ${options.join(', ')}`}\n`;
}

/** Says how to take the secrets of an imported file out of the profile file. */
function noteSecrets(context: Context, { drafts, imported }: Pick<Plan, 'drafts' | 'imported'>): void {
  if (imported === undefined) return;
  const secrets = drafts.flatMap(({ options }) => [...options.keys()].filter((key) => optionOf(key).secret));
  const [first] = secrets;
  if (first === undefined) return;
  const into = commandText`weir profile set ${first} --keychain`;
  context.notice(`the profile file has ${secrets.join(' and ')} in plain text; to use the keychain instead: ${into}`);
}
