import { command } from '../../cli/command.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { findSandbox, getSandbox, purgeSandbox } from '../../sandbox/sandbox.ts';
import { described, maybe, row, string, truth } from '../../shape/shape.ts';
import { journalOf } from '../cloud/byoc/holding.ts';
import { nameFlag, placeOf } from './place.ts';
import { dropProfile } from './profile.ts';

const purged = row({
  name: string,
  directory: string,
  removed: described(truth, 'false in a dry run'),
  current_profile: described(maybe(string), 'the profile that is selected afterward'),
});

/** `sandbox purge` */
export const purge = command({
  summary: 'Stop a sandbox and remove its data and its profile',
  description: `Removes topics, records, certificates and logs, the profile that "sandbox start" created, and what this machine keeps
about its control plane: logins and unfinished operations. The profile that was selected before is selected again, if it
still exists. Downloads stay in the cache. If the profile of the sandbox is protected, you confirm with the name of the
sandbox, and scripts need --yes.`,
  examples: [
    ['The default sandbox', 'sandbox purge'],
    ['Another sandbox, without a prompt', 'sandbox purge --name three --yes'],
  ],
  flags: { name: nameFlag },
  changes: 'destroys',
  namesAll: true,
  result: purged,
  async confirm(context, { name }) {
    // A sandbox with broken files must be removable, too.
    const found = await findSandbox(placeOf(context, name)).catch(() => undefined);
    const brokers = found?.options.brokers;
    const where = brokers === undefined ? '' : ` (${brokers})`;
    const isProtected = await (await context.profiles()).isProtected(name);
    return { question: `Remove the sandbox "${name}"${where} and all its data`, name, protected: isProtected };
  },
  async run(context, { name, dryRun }) {
    const place = placeOf(context, name);
    const found = dryRun ? undefined : await findSandbox(place).catch(() => undefined);
    const sandbox = dryRun ? await getSandbox(place) : await purgeSandbox(place);
    const controlPlane = found?.options['cloud.api_url'];
    if (controlPlane !== undefined) await forgetControlPlane(context, controlPlane);
    const current = await dropProfile(context, sandbox, dryRun);
    return { name, directory: sandbox.directory, removed: !dryRun, current_profile: current ?? null };
  },
  show: {
    text({ name, removed, current_profile: current }) {
      if (!removed) return `The sandbox "${name}" would be removed.\n`;
      return `The sandbox "${name}" was removed${current === null ? '' : `; the current profile is "${current}"`}.\n`;
    },
  },
});

/** Removes the logins and the unfinished flows of a control plane that is gone. */
async function forgetControlPlane(context: Context, apiUrl: string): Promise<void> {
  try {
    const { logins } = await context.cloud();
    for (const { name, api_url } of await logins.list()) if (api_url === apiUrl) await logins.delete(name);
    const journal = journalOf(context);
    for (const { id, api_url } of (await journal?.list()) ?? []) if (api_url === apiUrl) await journal?.remove(id);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    context.warn(`unable to remove the logins of the sandbox: ${error.message}`);
  }
}
