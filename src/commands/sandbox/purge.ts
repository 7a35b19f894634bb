import { command } from '../../cli/command.ts';
import { booleanSchema, nullable, object, type Schema, string } from '../../cli/output/schema.ts';
import { findSandbox, getSandbox, purgeSandbox } from '../../sandbox/sandbox.ts';
import { nameFlag, placeOf } from './place.ts';
import { dropProfile } from './profile.ts';

interface Purged {
  readonly name: string;
  readonly directory: string;
  /** False in a dry run. */
  readonly removed: boolean;
  /** The profile that is selected afterward; null without one. */
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
  description: `Removes topics, records, certificates and logs, and the profile that "sandbox start" created. The profile that
was selected before is selected again, if it still exists. Downloads stay in the cache. If the profile of the sandbox is
protected, you confirm with the name of the sandbox, and scripts need --yes.`,
  examples: [
    ['The default sandbox', 'sandbox purge'],
    ['Another sandbox, without a prompt', 'sandbox purge --name three --yes'],
  ],
  flags: { name: nameFlag },
  changes: 'destroys',
  namesAll: true,
  async confirm(context, { name }) {
    // A sandbox with broken files must be removable, too.
    const found = await findSandbox(placeOf(context, name)).catch(() => undefined);
    const brokers = found?.options.brokers;
    const where = brokers === undefined ? '' : ` (${brokers})`;
    const isProtected = await (await context.profiles()).isProtected(name);
    return { question: `Remove the sandbox "${name}"${where} and all its data`, name, protected: isProtected };
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
      return `The sandbox "${name}" was removed${current === null ? '' : `; the current profile is "${current}"`}.\n`;
    },
  },
});
