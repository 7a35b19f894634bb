import { envName, isOptionKey } from '../../config/options.ts';
import { sandboxMark } from '../../config/profile/sandbox-mark.ts';
import type { Context } from '../../context.ts';
import { CliError, exitCodes } from '../../errors.ts';
import { variable } from '../../files/locations.ts';
import { findSandbox, rememberProfile, type Sandbox, type SandboxLocation } from '../../sandbox/sandbox.ts';

/**
 * Checks, before anything is started, that the profile file is readable and the name of the sandbox is free in it.
 * @throws CliError (exit 6) when a profile of that name was not created for this sandbox
 */
export async function checkProfile(context: Context, location: SandboxLocation): Promise<void> {
  const { names } = await (await context.profiles()).names();
  const profileName = (await findSandbox(location))?.profile?.name;
  if (profileName === location.name || !names.includes(location.name)) return;
  throw new CliError(exitCodes.conflict, `profile "${location.name}" already exists and does not belong to a sandbox`, {
    code: 'PROFILE_EXISTS',
    target: location.name,
    hints: [
      'choose another name for the sandbox with --name',
      `or delete the profile with: weir profile delete ${location.name}`,
    ],
  });
}

/** Notices that a start, which can take a minute, selects another profile than the one in use. */
export async function noticeSelection(context: Context, name: string): Promise<void> {
  const { current } = await (await context.profiles()).names();
  if (current === undefined || current === name) return;
  context.notice(`the profile "${name}" will be selected; switch back with: weir profile use ${current}`);
}

/** Creates or updates the profile of a running sandbox and selects it. Returns what is recorded of it. */
export async function makeProfile(context: Context, sandbox: Sandbox): Promise<Sandbox['profile']> {
  const profiles = await context.profiles();
  const { current } = await profiles.names();
  const previous = current === sandbox.name ? sandbox.profile?.previous : current;
  // Recorded before it is created, so that it can always be told from a profile that someone else created.
  const memory = { name: sandbox.name, previous };
  await rememberProfile(sandbox, memory);
  // What the user has added to it, such as a registry or a description, is not the sandbox's to change.
  const profile = { name: sandbox.name, description: sandboxMark, options: sandbox.options };
  await profiles.set(profile, { select: true });
  const selected = context.profileSelection().profile;
  if (selected !== undefined && selected.name !== sandbox.name) {
    context.warn(
      `${selected.origin} overrides the selected profile with "${selected.name}"; remove it to use the sandbox`,
    );
  }
  for (const key of Object.keys(sandbox.options).filter(isOptionKey)) {
    const name = envName(key);
    const value = variable(context.host, name);
    if (value !== undefined)
      context.warn(`${name} overrides the profile "${sandbox.name}"; unset it to use the sandbox`);
  }
  return memory;
}
