import { change } from '../../cli/forms/change.ts';
import type { Outcome } from '../../cli/forms/outcome.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { brokenState } from '../../sandbox/part-state.ts';
import { directoryOf, getSandbox, purgeSandbox } from '../../sandbox/sandbox.ts';
import { described, maybe, type RowOf, row, string } from '../../shape/shape.ts';
import { journalOf } from '../cloud/byoc/flow-lock.ts';
import { locationOf, nameFlag } from './location.ts';

const PurgedSandbox = row({
  name: string,
  directory: string,
  current_profile: described(maybe(string), 'the profile that is selected afterward'),
});

/** `sandbox purge` */
export const purge = change({
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
  noun: 'sandbox',
  isOne: true,
  item: PurgedSandbox,
  async plan(context, { name }) {
    const location = locationOf(context, name);
    // A sandbox with broken files must be removable, too.
    const sandbox = await getSandbox(location).catch((error: unknown) => {
      if (error instanceof CliError && error.code === brokenState) return undefined;
      throw error;
    });
    const { current = null } = await (await context.profiles()).names();
    return [{ name, directory: directoryOf(location), current_profile: current, options: sandbox?.options }];
  },
  async asks([sandbox], { name }, context) {
    const brokers = sandbox?.options?.brokers;
    const where = brokers === undefined ? '' : ` (${brokers})`;
    const isProtected = await (await context.profiles()).isProtected(name);
    return { question: `Remove the sandbox "${name}"${where} and all its data`, protected: isProtected ? [name] : [] };
  },
  async applyEach(context, { options }, { name }) {
    const { profile } = await purgeSandbox(locationOf(context, name));
    const controlPlane = options?.['cloud.api_url'];
    if (controlPlane !== undefined) await forgetControlPlane(context, controlPlane);
    const profiles = await context.profiles();
    const names = profile === undefined ? profiles.names() : profiles.remove(profile.name, profile.previous);
    return { current_profile: (await names).current ?? null };
  },
  text: ([sandbox]) => (sandbox === undefined ? '' : purgedText(sandbox)),
});

function purgedText({
  name,
  current_profile: current,
  dry_run: isDryRun,
}: RowOf<typeof PurgedSandbox> & Outcome): string {
  if (isDryRun) return `The sandbox "${name}" would be removed.\n`;
  return `The sandbox "${name}" was removed${current === null ? '' : `; the current profile is "${current}"`}.\n`;
}

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
