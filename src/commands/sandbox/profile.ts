import { envName, isOptionKey } from '../../config/options.ts';
import type { Context } from '../../context.ts';
import { CliError, exitCodes } from '../../errors.ts';
import { variable } from '../../files/locations.ts';
import { findSandbox, type Place, type Remains, rememberProfile, type Sandbox } from '../../sandbox/sandbox.ts';

/**
 * Makes sure, before anything is started, that the profile file can be read and that the sandbox's name is free in it.
 * @throws CliError (exit 6) when a profile of that name was not made for this sandbox
 */
export async function checkProfile(context: Context, place: Place): Promise<void> {
  const { names } = await (await context.profiles()).names();
  const own = (await findSandbox(place))?.profile?.name;
  if (own === place.name || !names.includes(place.name)) return;
  throw new CliError(exitCodes.conflict, `there is a profile "${place.name}" already, and it is not of a sandbox`, {
    code: 'PROFILE_EXISTS',
    target: place.name,
    hints: ['choose another name for the sandbox with --name', `or remove it: weir profile delete ${place.name}`],
  });
}

/** Makes or renews the profile of a running sandbox and selects it. */
export async function makeProfile(context: Context, sandbox: Sandbox): Promise<void> {
  const profiles = await context.profiles();
  const { current } = await profiles.names();
  const previous = current === sandbox.name ? sandbox.profile?.previous : current;
  // First the memory, then the profile: one that was made can always be told from a foreign one.
  await rememberProfile(sandbox, { name: sandbox.name, previous });
  await profiles.put({ name: sandbox.name, description: 'made by weir sandbox start', options: sandbox.options });
  const named = context.profileSelection().profile;
  if (named !== undefined && named.name !== sandbox.name) {
    context.warn(`${named.origin} names the profile "${named.name}": the sandbox is used only without it`);
  }
  for (const key of Object.keys(sandbox.options).filter(isOptionKey)) {
    const name = envName(key);
    const value = variable(context.host, name);
    if (value !== undefined)
      context.warn(`${name} is set and wins over the profile "${sandbox.name}"; unset it to use the sandbox`);
  }
  if (previous !== undefined && current !== sandbox.name) {
    context.notice(`the profile "${sandbox.name}" is selected now; back with: weir profile use ${previous}`);
  }
}

/** Removes the profile of a sandbox and selects the one before it; says which profile is current then. */
export async function dropProfile(context: Context, sandbox: Remains, dryRun: boolean): Promise<string | undefined> {
  const profiles = await context.profiles();
  if (dryRun || sandbox.profile === undefined) return (await profiles.names()).current;
  return (await profiles.remove(sandbox.profile.name, sandbox.profile.previous)).current;
}
