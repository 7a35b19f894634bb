import { command } from '../../cli/command.ts';
import { booleanSchema, nullable, object, type Schema, string } from '../../cli/output/schema.ts';
import { findSandbox, getSandbox, purgeSandbox } from '../../sandbox/sandbox.ts';
import { nameFlag, placeOf } from './place.ts';
import { dropProfile } from './profile.ts';

interface Purged {
  readonly name: string;
  readonly directory: string;
  /** False when it is only said what would be done. */
  readonly removed: boolean;
  /** The profile that is current now; null when there is none. */
  readonly current_profile: string | null;
}

const schema: Schema = object({
  name: string,
  directory: string,
  removed: booleanSchema,
  current_profile: nullable(string),
});

/** `sandbox purge` */
export const purge = command({
  summary: 'Stop a sandbox and remove its data and its profile',
  description: `Topics, records, certificates and logs are removed, and so is the profile that "sandbox start" made. The profile
that was current before is current again, if it still exists. What was downloaded stays in the cache.`,
  examples: [
    ['Away with it', 'sandbox purge'],
    ['Without a question', 'sandbox purge --name three --yes'],
  ],
  flags: { name: nameFlag },
  changes: 'destroys',
  async confirm(context, { name }) {
    // A sandbox whose files are broken is removed, too: that is what this command is for.
    const found = await findSandbox(placeOf(context, name)).catch(() => undefined);
    const brokers = found?.options.brokers;
    const where = brokers === undefined ? '' : ` (${brokers})`;
    return { question: `Remove the sandbox "${name}"${where} and all its data`, name, protected: false };
  },
  async run(context, { name, dryRun }): Promise<Purged> {
    const place = placeOf(context, name);
    const sandbox = dryRun ? await getSandbox(place) : await purgeSandbox(place);
    const current = await dropProfile(context, sandbox, dryRun);
    return { name, directory: sandbox.directory, removed: !dryRun, current_profile: current ?? null };
  },
  output: {
    schema,
    text({ name, removed, current_profile: current }) {
      if (!removed) return `The sandbox "${name}" would be removed.\n`;
      return `The sandbox "${name}" is removed${current === null ? '' : `; the current profile is "${current}"`}.\n`;
    },
  },
});
